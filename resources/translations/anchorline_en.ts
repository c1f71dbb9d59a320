<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>LogPane</name>
    <message numerus="yes">
        <source>%Ln line(s) chosen</source>
        <translation>
            <numerusform>%Ln line chosen</numerusform>
            <numerusform>%Ln lines chosen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message numerus="yes">
        <source>%Ln new line(s)</source>
        <translation>
            <numerusform>%Ln new line</numerusform>
            <numerusform>%Ln new lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message numerus="yes">
        <source>%Ln more</source>
        <translation>
            <numerusform>%Ln more</numerusform>
            <numerusform>%Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message numerus="yes">
        <source>%Ln error(s)</source>
        <translation>
            <numerusform>%Ln error</numerusform>
            <numerusform>%Ln errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln warning(s)</source>
        <translation>
            <numerusform>%Ln warning</numerusform>
            <numerusform>%Ln warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Turn</name>
    <message numerus="yes">
        <source>Rests on %Ln line(s)</source>
        <translation>
            <numerusform>Rests on %Ln line</numerusform>
            <numerusform>Rests on %Ln lines</numerusform>
        </translation>
    </message>
</context>
</TS>
