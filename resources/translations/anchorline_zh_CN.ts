<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AcceptancePanel</name>
    <message>
        <source>Acceptance</source>
        <translation>接受率</translation>
    </message>
    <message>
        <source>plain decoding</source>
        <translation>普通解码</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>{rate} tokens/s</source>
        <translation>{rate} 词元/秒</translation>
    </message>
    <message>
        <source>Reading the log</source>
        <translation>读取日志</translation>
    </message>
    <message>
        <source>First word after</source>
        <translation>首字用时</translation>
    </message>
</context>
<context>
    <name>ChosenLine</name>
    <message>
        <source>Copy the chosen lines</source>
        <translation>复制所选行</translation>
    </message>
    <message>
        <source>Choose up to the next line tapped</source>
        <translation>选到下次点击的行</translation>
    </message>
    <message>
        <source>Choose no line</source>
        <translation>取消选择</translation>
    </message>
</context>
<context>
    <name>Conversation</name>
    <message>
        <source>Ask about this log</source>
        <translation>询问这份日志</translation>
    </message>
    <message>
        <source>Every answer names the lines it rests on; a tap shows them. What the log does not say, the console does not guess.</source>
        <translation>每个回答都列出所依据的日志行，点一下即可查看。日志里没有的，绝不猜测。</translation>
    </message>
    <message>
        <source>Questions and answers</source>
        <translation>问答</translation>
    </message>
    <message>
        <source>Suggested questions</source>
        <translation>建议的问题</translation>
    </message>
</context>
<context>
    <name>EngineButton</name>
    <message>
        <source>Loading</source>
        <translation>加载中</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>读取中</translation>
    </message>
    <message>
        <source>Answering</source>
        <translation>回答中</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>Closed</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>Engine: {state}</source>
        <translation>引擎：{state}</translation>
    </message>
    <message>
        <source>Profile {profile}, target {target}, draft {draft}</source>
        <translation>配置 {profile}，目标模型 {target}，草稿模型 {draft}</translation>
    </message>
</context>
<context>
    <name>EvidenceCard</name>
    <message>
        <source>Line {number} of {source}: {text}</source>
        <translation>{source} 第 {number} 行：{text}</translation>
    </message>
    <message>
        <source>Shows this line in the log</source>
        <translation>在日志中显示这一行</translation>
    </message>
    <message>
        <source>line {number}</source>
        <translation>第 {number} 行</translation>
    </message>
</context>
<context>
    <name>FetchBar</name>
    <message>
        <source>Fetching models</source>
        <translation>正在获取模型</translation>
    </message>
    <message>
        <source>Fetching the {wanted} models: {done} of {total}. The {current} profile answers meanwhile.</source>
        <translation>正在获取 {wanted} 模型：{done} / {total}。期间由 {current} 配置回答。</translation>
    </message>
</context>
<context>
    <name>FilterBar</name>
    <message>
        <source>{count} lines</source>
        <translation>{count} 行</translation>
    </message>
    <message>
        <source>{matching} of {count}</source>
        <translation>{matching} / {count} 行</translation>
    </message>
    <message>
        <source>Filter lines</source>
        <translation>筛选日志行</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Show all lines</source>
        <translation>显示全部行</translation>
    </message>
    <message>
        <source>Show warnings and worse</source>
        <translation>显示警告及以上</translation>
    </message>
    <message>
        <source>Show errors and worse</source>
        <translation>显示错误及以上</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>No log open</source>
        <translation>未打开日志</translation>
    </message>
    <message>
        <source>Log sources</source>
        <translation>日志来源</translation>
    </message>
    <message>
        <source>Open log files</source>
        <translation>打开日志文件</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Change language</source>
        <translation>切换语言</translation>
    </message>
    <message>
        <source>Change theme</source>
        <translation>切换主题</translation>
    </message>
    <message>
        <source>On-screen keyboard</source>
        <translation>屏幕键盘</translation>
    </message>
</context>
<context>
    <name>HistoryPage</name>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Search past questions</source>
        <translation>搜索历史问题</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Past questions</source>
        <translation>历史问题</translation>
    </message>
    <message>
        <source>No past question to show.</source>
        <translation>没有可显示的历史问题。</translation>
    </message>
</context>
<context>
    <name>LogPane</name>
    <message>
        <source>line {number}</source>
        <translation>第 {number} 行</translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s) chosen</source>
        <translation>
            <numerusform>已选 %Ln 行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message>
        <source>To the end</source>
        <translation>到末尾</translation>
    </message>
    <message>
        <source>No line matches the filter.</source>
        <translation>没有符合筛选条件的行。</translation>
    </message>
    <message>
        <source>Drop log files here, or tap Open in the header.</source>
        <translation>把日志文件拖到这里，或点上方的“打开”。</translation>
    </message>
    <message>
        <source>Log lines</source>
        <translation>日志行</translation>
    </message>
    <message>
        <source>{count} lines</source>
        <translation>{count} 行</translation>
    </message>
    <message numerus="yes">
        <source>%Ln new line(s)</source>
        <translation>
            <numerusform>%Ln 行新日志</numerusform>
        </translation>
    </message>
    <message>
        <source>(no longer in memory; still in the file)</source>
        <translation>（已不在内存中；文件中仍有）</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Open log files</source>
        <translation>打开日志文件</translation>
    </message>
    <message>
        <source>Anchorline console</source>
        <translation>Anchorline 控制台</translation>
    </message>
</context>
<context>
    <name>MemoryPanel</name>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} 词元</translation>
    </message>
    <message>
        <source>Sinks</source>
        <translation>锚定</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Asking</source>
        <translation>提问</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Swapped</source>
        <translation>换出</translation>
    </message>
    <message>
        <source>sinks</source>
        <translation>锚定</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>asking</source>
        <translation>提问</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Dismiss this notice</source>
        <translation>关闭此通知</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more</source>
        <translation>
            <numerusform>还有 %Ln 条</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PerplexityPanel</name>
    <message>
        <source>Perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>over the last {count} sampled tokens</source>
        <translation>基于最近 {count} 个抽样词元</translation>
    </message>
    <message>
        <source>no sample yet</source>
        <translation>尚无样本</translation>
    </message>
</context>
<context>
    <name>QuestionBar</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>提问</translation>
    </message>
    <message>
        <source>Ask about the log</source>
        <translation>询问日志</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Empty the field</source>
        <translation>清空</translation>
    </message>
</context>
<context>
    <name>SourceChip</name>
    <message>
        <source>reading</source>
        <translation>读取中</translation>
    </message>
    <message>
        <source>following</source>
        <translation>跟随中</translation>
    </message>
    <message>
        <source>read</source>
        <translation>已读完</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>文件不见了</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>{name}: {state}, {count} lines</source>
        <translation>{name}：{state}，{count} 行</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>No lines yet</source>
        <translation>尚无日志</translation>
    </message>
    <message>
        <source>first line</source>
        <translation>第一行</translation>
    </message>
    <message>
        <source>newest line</source>
        <translation>最新一行</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间轴</translation>
    </message>
    <message>
        <source>{errors} errors, {warnings} warnings; tap to go to a time</source>
        <translation>{errors} 个错误，{warnings} 个警告；点击可跳到该时间</translation>
    </message>
    <message numerus="yes">
        <source>%Ln error(s)</source>
        <translation>
            <numerusform>%Ln 个错误</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln warning(s)</source>
        <translation>
            <numerusform>%Ln 个警告</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Turn</name>
    <message>
        <source>Copy question, answer and lines</source>
        <translation>复制问题、回答和依据行</translation>
    </message>
    <message>
        <source>Reading the question</source>
        <translation>正在读取问题</translation>
    </message>
    <message>
        <source>Reading the question and its lines: {done} of {total} tokens</source>
        <translation>正在读取问题及相关行：{done} / {total} 词元</translation>
    </message>
    <message>
        <source>Waiting for the engine</source>
        <translation>等待引擎</translation>
    </message>
    <message>
        <source>Lines looked at</source>
        <translation>查看过的行</translation>
    </message>
    <message>
        <source>Stopped: written up to here</source>
        <translation>已停止：写到此处为止</translation>
    </message>
    <message>
        <source>Cut at the length limit</source>
        <translation>达到长度上限，已截断</translation>
    </message>
    <message>
        <source>Cut where it began to repeat itself</source>
        <translation>开始重复，已截断</translation>
    </message>
    <message>
        <source>Failed: no complete answer</source>
        <translation>失败：没有完整的回答</translation>
    </message>
    <message>
        <source>Interrupted: the program ended while it was written</source>
        <translation>已中断：生成时程序结束了</translation>
    </message>
    <message>
        <source>No answer: the log does not say</source>
        <translation>无回答：日志中没有相关记录</translation>
    </message>
    <message>
        <source>first word {seconds}</source>
        <translation>首字 {seconds}</translation>
    </message>
    <message>
        <source>{rate} tokens/s</source>
        <translation>{rate} 词元/秒</translation>
    </message>
    <message>
        <source>{count} tokens read</source>
        <translation>读入 {count} 词元</translation>
    </message>
    <message numerus="yes">
        <source>Rests on %Ln line(s)</source>
        <translation>
            <numerusform>依据 %Ln 行日志</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_RowPainter</name>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>cut</source>
        <translation>已截断</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>无回答</translation>
    </message>
    <message>
        <source>being written</source>
        <translation>正在生成</translation>
    </message>
</context>
<context>
    <name>errors</name>
    <message>
        <source>A context of {capacity} tokens is more than {model} was trained for ({trained}).</source>
        <translation>{capacity} 词元的上下文超过了 {model} 的训练长度（{trained}）。</translation>
    </message>
    <message>
        <source>Ask a shorter question.</source>
        <translation>请问得短一些。</translation>
    </message>
    <message>
        <source>Ask for read permission on the file and its folder.</source>
        <translation>请申请该文件及其文件夹的读取权限。</translation>
    </message>
    <message>
        <source>Cannot read the settings in {path}: {reason}.</source>
        <translation>无法读取 {path} 中的设置：{reason}。</translation>
    </message>
    <message>
        <source>Cannot read {path}: {reason}.</source>
        <translation>无法读取 {path}：{reason}。</translation>
    </message>
    <message>
        <source>Cannot write the screenshot to {path}.</source>
        <translation>无法把截图写入 {path}。</translation>
    </message>
    <message>
        <source>Cannot write to {folder}: {reason}.</source>
        <translation>无法写入 {folder}：{reason}。</translation>
    </message>
    <message>
        <source>Check it with &quot;anchorline models verify&quot;, and fetch it again if it is damaged.</source>
        <translation>请用 anchorline models verify 检查；如有损坏请重新获取。</translation>
    </message>
    <message>
        <source>Check its permissions and the disk.</source>
        <translation>请检查其权限和磁盘。</translation>
    </message>
    <message>
        <source>Check that the disk or network drive is connected.</source>
        <translation>请检查磁盘或网络驱动器是否已连接。</translation>
    </message>
    <message>
        <source>Check the name and the folder.</source>
        <translation>请检查名称和文件夹。</translation>
    </message>
    <message>
        <source>Check the network, then run the same command again: it goes on where it stopped. Or bring the file on a stick: anchorline models import FILE.</source>
        <translation>请检查网络后再次运行同一命令，会从中断处继续。也可用 U 盘带来文件：anchorline models import FILE。</translation>
    </message>
    <message>
        <source>Check the stick, the room on the disk and the folder&apos;s permissions.</source>
        <translation>请检查 U 盘、磁盘剩余空间和文件夹权限。</translation>
    </message>
    <message>
        <source>Choose a folder that may be written to and has room left.</source>
        <translation>请选择可写且有剩余空间的文件夹。</translation>
    </message>
    <message>
        <source>Choose a model with a chat template for instructions.</source>
        <translation>请选择带对话模板的指令模型。</translation>
    </message>
    <message>
        <source>Choose a smaller window, or the tiny profile.</source>
        <translation>请选择较小的窗口，或使用 tiny 配置。</translation>
    </message>
    <message>
        <source>Choose a window of at most {most} tokens.</source>
        <translation>窗口请不要超过 {most} 词元。</translation>
    </message>
    <message>
        <source>Close other programs, or use the small model: --profile tiny.</source>
        <translation>请关闭其他程序，或使用小模型：--profile tiny。</translation>
    </message>
    <message>
        <source>Correct the pattern, or search for it as plain text.</source>
        <translation>请改正表达式，或按纯文本搜索。</translation>
    </message>
    <message>
        <source>Fetch it with &quot;anchorline models fetch&quot;, or choose another profile.</source>
        <translation>请用 anchorline models fetch 获取，或选择其他配置。</translation>
    </message>
    <message>
        <source>Fetch it: anchorline models fetch {profile}. Without a network, bring the file on a stick: anchorline models import FILE.</source>
        <translation>获取命令：anchorline models fetch {profile}。没有网络时可用 U 盘带来文件：anchorline models import FILE。</translation>
    </message>
    <message>
        <source>Fetch it: anchorline models fetch. It belongs in {folder}.</source>
        <translation>获取命令：anchorline models fetch。文件应放在 {folder}。</translation>
    </message>
    <message>
        <source>Free some disk space, or check that the folder may be written to.</source>
        <translation>请释放磁盘空间，或检查文件夹是否可写。</translation>
    </message>
    <message>
        <source>Give lines a second, such as 20; 0 means as fast as possible.</source>
        <translation>请给出每秒行数，例如 20；0 表示尽可能快。</translation>
    </message>
    <message>
        <source>Import it with: anchorline models import {path}</source>
        <translation>导入命令：anchorline models import {path}</translation>
    </message>
    <message>
        <source>Install Anchorline again, or mend the file.</source>
        <translation>请重新安装 Anchorline，或修复该文件。</translation>
    </message>
    <message>
        <source>It goes on from the log it has read; details are in the program&apos;s log file.</source>
        <translation>引擎会从已读的日志继续；详情见程序的日志文件。</translation>
    </message>
    <message>
        <source>It may be damaged: copy it to the stick again. A model of your own needs another name.</source>
        <translation>文件可能已损坏：请重新拷贝到 U 盘。自己的模型需要换个名字。</translation>
    </message>
    <message>
        <source>It takes a value of type {type}, such as {example}.</source>
        <translation>需要 {type} 类型的值，例如 {example}。</translation>
    </message>
    <message>
        <source>Its text as it was at the time stands on the card.</source>
        <translation>当时的原文保留在卡片上。</translation>
    </message>
    <message>
        <source>Known backends: {known}.</source>
        <translation>已知的后端：{known}。</translation>
    </message>
    <message>
        <source>Known settings: {known}.</source>
        <translation>已知的设置：{known}。</translation>
    </message>
    <message>
        <source>Known: {known}.</source>
        <translation>已知：{known}。</translation>
    </message>
    <message>
        <source>Line {line} of {source} is not in the open log.</source>
        <translation>{source} 第 {line} 行不在当前打开的日志中。</translation>
    </message>
    <message>
        <source>Make room or mend the folder&apos;s permissions; ANCHORLINE_MODELS names another one.</source>
        <translation>请腾出空间或修正文件夹权限；也可用 ANCHORLINE_MODELS 指定其他文件夹。</translation>
    </message>
    <message>
        <source>Make room, or name another folder in the variable ANCHORLINE_MODELS.</source>
        <translation>请腾出空间，或用变量 ANCHORLINE_MODELS 指定其他文件夹。</translation>
    </message>
    <message>
        <source>Mend or remove the file.</source>
        <translation>请修复或删除该文件。</translation>
    </message>
    <message>
        <source>Mend or remove the file; without it the defaults apply.</source>
        <translation>请修复或删除该文件；没有它时使用默认值。</translation>
    </message>
    <message>
        <source>Models end in .gguf.</source>
        <translation>模型文件以 .gguf 结尾。</translation>
    </message>
    <message>
        <source>Move the file away by hand, then start Anchorline again.</source>
        <translation>请手动移走该文件，然后重新启动 Anchorline。</translation>
    </message>
    <message>
        <source>Name another file to write to.</source>
        <translation>请指定另一个要写入的文件。</translation>
    </message>
    <message>
        <source>Name the log file in it that you want to read.</source>
        <translation>请指定其中要读取的日志文件。</translation>
    </message>
    <message>
        <source>No model is called &quot;{name}&quot;.</source>
        <translation>没有名为“{name}”的模型。</translation>
    </message>
    <message>
        <source>Not enough memory for {names}: {needed} needed, {free} free.</source>
        <translation>内存不足以加载 {names}：需要 {needed}，可用 {free}。</translation>
    </message>
    <message>
        <source>Not enough room in {folder} for {name}: {needed} needed, {free} free.</source>
        <translation>{folder} 空间不足以存放 {name}：需要 {needed}，可用 {free}。</translation>
    </message>
    <message>
        <source>Not enough room in {folder}: {needed} needed, {free} free.</source>
        <translation>{folder} 空间不足：需要 {needed}，可用 {free}。</translation>
    </message>
    <message>
        <source>Profiles: {known}.</source>
        <translation>可用配置：{known}。</translation>
    </message>
    <message>
        <source>Remove it and fetch it again: anchorline models fetch.</source>
        <translation>请删除后重新获取：anchorline models fetch。</translation>
    </message>
    <message>
        <source>Remove {path} and fetch it again: anchorline models fetch.</source>
        <translation>请删除 {path} 后重新获取：anchorline models fetch。</translation>
    </message>
    <message>
        <source>Run &quot;make setup&quot; again; &quot;anchorline doctor&quot; says what is missing.</source>
        <translation>请再次运行 make setup；anchorline doctor 会说明缺少什么。</translation>
    </message>
    <message>
        <source>See that it can be written; until then new answers are not kept.</source>
        <translation>请使其可写；在此之前新的回答不会保存。</translation>
    </message>
    <message>
        <source>Tap a suggested question, or install the system&apos;s own on-screen keyboard.</source>
        <translation>请点选建议的问题，或安装系统自带的屏幕键盘。</translation>
    </message>
    <message>
        <source>The chat template in {path} cannot be used: {reason}.</source>
        <translation>{path} 中的对话模板无法使用：{reason}。</translation>
    </message>
    <message>
        <source>The chat template in {path} leaves out the user&apos;s message.</source>
        <translation>{path} 中的对话模板遗漏了用户消息。</translation>
    </message>
    <message>
        <source>The demo log {path} cannot be written: {reason}.</source>
        <translation>无法写入演示日志 {path}：{reason}。</translation>
    </message>
    <message>
        <source>The engine failed: {reason}.</source>
        <translation>引擎出错：{reason}。</translation>
    </message>
    <message>
        <source>The folder of the history, {folder}, cannot be made: {reason}.</source>
        <translation>无法创建历史文件夹 {folder}：{reason}。</translation>
    </message>
    <message>
        <source>The glossary in {path} cannot be read: {reason}.</source>
        <translation>无法读取 {path} 中的词汇表：{reason}。</translation>
    </message>
    <message>
        <source>The glossary in {path} must hold &quot;groups&quot;, a list of lists of words.</source>
        <translation>{path} 中的词汇表必须包含 groups，即词语列表的列表。</translation>
    </message>
    <message>
        <source>The history in {path} is damaged and cannot be set aside: {reason}.</source>
        <translation>{path} 中的历史已损坏且无法移开：{reason}。</translation>
    </message>
    <message>
        <source>The history in {path} was written by a newer version of Anchorline (format {found}, this one knows {known}).</source>
        <translation>{path} 中的历史由更新版本的 Anchorline 写成（格式 {found}，本版本只识别到 {known}）。</translation>
    </message>
    <message>
        <source>The language model library cannot be loaded: {reason}.</source>
        <translation>无法加载语言模型库：{reason}。</translation>
    </message>
    <message>
        <source>The list of models in {path} cannot be used: {reason}.</source>
        <translation>{path} 中的模型清单无法使用：{reason}。</translation>
    </message>
    <message>
        <source>The log cannot be searched; the program&apos;s log file says more.</source>
        <translation>无法搜索日志；详情见程序的日志文件。</translation>
    </message>
    <message>
        <source>The model file may be damaged or of an unsupported kind; choose another model.</source>
        <translation>模型文件可能已损坏或类型不受支持；请选择其他模型。</translation>
    </message>
    <message>
        <source>The model file {name} is missing.</source>
        <translation>缺少模型文件 {name}。</translation>
    </message>
    <message>
        <source>The model file {path} cannot be loaded: {reason}.</source>
        <translation>无法加载模型文件 {path}：{reason}。</translation>
    </message>
    <message>
        <source>The model file {path} cannot be read: {reason}.</source>
        <translation>无法读取模型文件 {path}：{reason}。</translation>
    </message>
    <message>
        <source>The model file {path} is missing.</source>
        <translation>缺少模型文件 {path}。</translation>
    </message>
    <message>
        <source>The question is too long: {tokens} tokens, where {room} fit.</source>
        <translation>问题太长：{tokens} 词元，最多容纳 {room}。</translation>
    </message>
    <message>
        <source>The rate {rate} is negative.</source>
        <translation>速率 {rate} 为负数。</translation>
    </message>
    <message>
        <source>The search pattern &quot;{pattern}&quot; is not valid: {reason}.</source>
        <translation>搜索表达式“{pattern}”无效：{reason}。</translation>
    </message>
    <message>
        <source>The search pattern &quot;{pattern}&quot; takes too long.</source>
        <translation>搜索表达式“{pattern}”耗时过长。</translation>
    </message>
    <message>
        <source>The setting &quot;{key}&quot; in {path} has the wrong type.</source>
        <translation>{path} 中的设置“{key}”类型不对。</translation>
    </message>
    <message>
        <source>The settings in {path} are not valid TOML: {reason}.</source>
        <translation>{path} 中的设置不是有效的 TOML：{reason}。</translation>
    </message>
    <message>
        <source>The {profile} model is not on this machine: {name} is missing.</source>
        <translation>本机没有 {profile} 模型：缺少 {name}。</translation>
    </message>
    <message>
        <source>There is no backend &quot;{name}&quot;.</source>
        <translation>没有名为“{name}”的后端。</translation>
    </message>
    <message>
        <source>There is no file {path}.</source>
        <translation>文件 {path} 不存在。</translation>
    </message>
    <message>
        <source>There is no profile &quot;{name}&quot;.</source>
        <translation>没有名为“{name}”的配置。</translation>
    </message>
    <message>
        <source>There is not enough memory for a context of {cells} tokens: {reason}.</source>
        <translation>内存不足以建立 {cells} 词元的上下文：{reason}。</translation>
    </message>
    <message>
        <source>This terminal has no on-screen keyboard.</source>
        <translation>本终端没有屏幕键盘。</translation>
    </message>
    <message>
        <source>Unknown setting &quot;{key}&quot; in {path}.</source>
        <translation>{path} 中有未知的设置“{key}”。</translation>
    </message>
    <message>
        <source>Use a simpler pattern, or search for plain text.</source>
        <translation>请用更简单的表达式，或按纯文本搜索。</translation>
    </message>
    <message>
        <source>Use the newer version, or move the file away; it has not been changed.</source>
        <translation>请使用新版本，或移走该文件；文件未被改动。</translation>
    </message>
    <message>
        <source>Use two models of one family, such as the pairs in: anchorline models list.</source>
        <translation>请使用同一系列的两个模型，例如 anchorline models list 中的组合。</translation>
    </message>
    <message>
        <source>Write the stream to a file, and name that file.</source>
        <translation>请把数据流写入文件，再指定该文件。</translation>
    </message>
    <message>
        <source>{draft} cannot draft for {target}: their vocabularies differ ({difference}).</source>
        <translation>{draft} 不能为 {target} 起草：两者词表不同（{difference}）。</translation>
    </message>
    <message>
        <source>{name} could not be copied to {folder}: {reason}.</source>
        <translation>无法把 {name} 复制到 {folder}：{reason}。</translation>
    </message>
    <message>
        <source>{name} could not be fetched ({problems}).</source>
        <translation>无法获取 {name}（{problems}）。</translation>
    </message>
    <message>
        <source>{name} has the name of a known model but other contents.</source>
        <translation>{name} 与已知模型同名，但内容不同。</translation>
    </message>
    <message>
        <source>{name} is a model, not a log.</source>
        <translation>{name} 是模型，不是日志。</translation>
    </message>
    <message>
        <source>{name} is damaged or another file: its SHA-256 is not the listed one.</source>
        <translation>{name} 已损坏或是别的文件：SHA-256 与清单不符。</translation>
    </message>
    <message>
        <source>{name} is not a model file.</source>
        <translation>{name} 不是模型文件。</translation>
    </message>
    <message>
        <source>{name} is not a usable model file: {reason}.</source>
        <translation>{name} 不是可用的模型文件：{reason}。</translation>
    </message>
    <message>
        <source>{name} is not the file it should be: it has {have} bytes instead of {need}.</source>
        <translation>{name} 不是应有的文件：有 {have} 字节，应为 {need}。</translation>
    </message>
    <message>
        <source>{name} is truncated: it has {have} of {need} bytes.</source>
        <translation>{name} 不完整：应有 {need} 字节，只有 {have}。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}.</source>
        <translation>无法写入 {path}：{reason}。</translation>
    </message>
    <message>
        <source>{path} is a folder.</source>
        <translation>{path} 是文件夹。</translation>
    </message>
    <message>
        <source>{path} is not a regular file.</source>
        <translation>{path} 不是普通文件。</translation>
    </message>
    <message>
        <source>{path} may not be read by this user.</source>
        <translation>当前用户无权读取 {path}。</translation>
    </message>
    <message>
        <source>{path} would be replayed onto itself.</source>
        <translation>{path} 会被重放到自身。</translation>
    </message>
    <message>
        <source>Ask again; details are in the program&apos;s log file.</source>
        <translation>请再问一次；详情见程序的日志文件。</translation>
    </message>
    <message>
        <source>The question could not be answered because of an error in the program.</source>
        <translation>由于程序出错，未能回答该问题。</translation>
    </message>
    <message>
        <source>There is no question.</source>
        <translation>没有问题。</translation>
    </message>
    <message>
        <source>Type or choose one, then press Ask.</source>
        <translation>请输入或选择一个问题，然后点“提问”。</translation>
    </message>
    <message>
        <source>--questions brings its own questions and logs.</source>
        <translation>--questions 自带问题和日志。</translation>
    </message>
    <message>
        <source>A context of {sinks} sinks and a window of {window} tokens cannot work.</source>
        <translation>锚定 {sinks}、窗口 {window} 词元的上下文无法工作。</translation>
    </message>
    <message>
        <source>A question and a log are needed.</source>
        <translation>需要一个问题和一份日志。</translation>
    </message>
    <message>
        <source>Each line is a JSON object with id, log and question.</source>
        <translation>每行是一个包含 id、log 和 question 的 JSON 对象。</translation>
    </message>
    <message>
        <source>Give WIDTHxHEIGHT, such as 1280x800.</source>
        <translation>请给出 宽x高，例如 1280x800。</translation>
    </message>
    <message>
        <source>Give a text file with one JSON object a line.</source>
        <translation>请给出每行一个 JSON 对象的文本文件。</translation>
    </message>
    <message>
        <source>Give at least 0 sinks and a window of at least {least} tokens.</source>
        <translation>锚定至少为 0，窗口至少 {least} 词元。</translation>
    </message>
    <message>
        <source>Give one JSON object a line.</source>
        <translation>请每行给出一个 JSON 对象。</translation>
    </message>
    <message>
        <source>Leave out --log and the question, and give --logs-dir.</source>
        <translation>请去掉 --log 和问题，改用 --logs-dir。</translation>
    </message>
    <message>
        <source>Line {number} of {path} is no question: {reason}.</source>
        <translation>{path} 第 {number} 行不是问题：{reason}。</translation>
    </message>
    <message>
        <source>Start it on a machine with a screen, or see it work with: anchorline --demo --offscreen-demo.</source>
        <translation>请在有屏幕的机器上启动，或用 anchorline --demo --offscreen-demo 查看演示。</translation>
    </message>
    <message>
        <source>The model could not be started.</source>
        <translation>模型未能启动。</translation>
    </message>
    <message>
        <source>The size &quot;{text}&quot; is not understood.</source>
        <translation>无法理解尺寸“{text}”。</translation>
    </message>
    <message>
        <source>There are no questions in {path}.</source>
        <translation>{path} 中没有问题。</translation>
    </message>
    <message>
        <source>There is no display here (DISPLAY and WAYLAND_DISPLAY are empty).</source>
        <translation>这里没有显示器（DISPLAY 和 WAYLAND_DISPLAY 为空）。</translation>
    </message>
    <message>
        <source>There is no measurement &quot;{name}&quot;.</source>
        <translation>没有名为“{name}”的测量。</translation>
    </message>
    <message>
        <source>Keep that file if old answers matter: parts of it may be recovered.</source>
        <translation>如果旧的回答很重要，请保留该文件：其中一部分也许可以恢复。</translation>
    </message>
    <message>
        <source>Some bytes of {name} are not valid {encoding}; they are shown as �.</source>
        <translation>{name} 中有些字节不是有效的 {encoding}；显示为 �。</translation>
    </message>
    <message>
        <source>The history was damaged and has been set aside as {kept_as}; a new one began.</source>
        <translation>历史已损坏，已另存为 {kept_as}；已新建历史。</translation>
    </message>
    <message>
        <source>{name} can no longer be read: {reason}.</source>
        <translation>{name} 无法再读取：{reason}。</translation>
    </message>
    <message>
        <source>{name} has lines longer than 64 KiB; their beginning is shown.</source>
        <translation>{name} 有超过 64 KiB 的行；只显示开头。</translation>
    </message>
    <message>
        <source>{name} is back.</source>
        <translation>{name} 又出现了。</translation>
    </message>
    <message>
        <source>{name} is damaged: {reason}. What could be unpacked is shown.</source>
        <translation>{name} 已损坏：{reason}。显示能解出的部分。</translation>
    </message>
    <message>
        <source>{name} is not there; it is read as soon as it appears.</source>
        <translation>{name} 不存在；出现后立即读取。</translation>
    </message>
    <message>
        <source>{name} leaves the order of day, month and year open; it was taken from the first lines.</source>
        <translation>{name} 的日、月、年顺序不明确；按开头几行推定。</translation>
    </message>
    <message>
        <source>{name} unpacks to more than {ratio} times its size and was cut off.</source>
        <translation>{name} 解压后超过原大小的 {ratio} 倍，已截断。</translation>
    </message>
    <message>
        <source>{name} was emptied and starts again. {lost_bytes} bytes were not read; lines written in the last {gap_ms} ms before that may be missing.</source>
        <translation>{name} 被清空后重新开始。有 {lost_bytes} 字节未读；此前最后 {gap_ms} 毫秒内写入的行可能缺失。</translation>
    </message>
    <message>
        <source>{name} was rotated; the new file is followed.</source>
        <translation>{name} 已轮转；正在跟随新文件。</translation>
    </message>
    <message>
        <source>{name} writes no date; the day of its last change is assumed.</source>
        <translation>{name} 没有写日期；按最后修改的日期推定。</translation>
    </message>
    <message>
        <source>{name} writes no year; the year of its last change is assumed.</source>
        <translation>{name} 没有写年份；按最后修改的年份推定。</translation>
    </message>
    <message>
        <source>Measure again.</source>
        <translation>请重新测量。</translation>
    </message>
    <message>
        <source>The engine did not answer in time.</source>
        <translation>引擎没有及时回应。</translation>
    </message>
    <message>
        <source>Search for its question.</source>
        <translation>请搜索它的问题。</translation>
    </message>
    <message>
        <source>This answer is no longer in the history.</source>
        <translation>这条回答已不在历史中。</translation>
    </message>
    <message>
        <source>It can be {choices}.</source>
        <translation>可选：{choices}。</translation>
    </message>
    <message>
        <source>It is at least {least}.</source>
        <translation>至少为 {least}。</translation>
    </message>
    <message>
        <source>The setting &quot;{key}&quot; in {path} cannot be {value}.</source>
        <translation>{path} 中的设置“{key}”不能为 {value}。</translation>
    </message>
    <message>
        <source>An error in the program hit {name}: some of its lines may not be shown or used. It is read on; details are in the program&apos;s log file.</source>
        <translation>程序错误影响了 {name}：其中部分日志行可能未显示或未使用。读取会继续；详情见程序的日志文件。</translation>
    </message>
    <message>
        <source>New answers are kept only while the program runs. Move the file away to begin anew.</source>
        <translation>新的回答只在程序运行期间保留。要重新开始，请把该文件移走。</translation>
    </message>
    <message>
        <source>The console was closed because its task took too long.</source>
        <translation>任务用时过长，控制台已关闭。</translation>
    </message>
    <message>
        <source>The history in {path} cannot be used: {reason}.</source>
        <translation>无法使用 {path} 中的历史：{reason}。</translation>
    </message>
    <message>
        <source>The lines before the damage were written; for the others get a whole copy.</source>
        <translation>损坏处之前的日志行已写出；其余的请取得完整的副本。</translation>
    </message>
    <message>
        <source>The program&apos;s log file says more.</source>
        <translation>详情见程序的日志文件。</translation>
    </message>
    <message>
        <source>The simulated line cannot be written to {path}: {reason}.</source>
        <translation>无法把模拟产线写入 {path}：{reason}。</translation>
    </message>
    <message>
        <source>{name} was emptied under its writer; the gap of NUL bytes is left out.</source>
        <translation>{name} 在写入过程中被清空；由 NUL 字节构成的空隙已略去。</translation>
    </message>
    <message>
        <source>{path} is damaged: {reason}.</source>
        <translation>{path} 已损坏：{reason}。</translation>
    </message>
    <message>
        <source>{path} is not a text log but a 7z archive.</source>
        <translation>{path} 不是文本日志，而是 7z 压缩包。</translation>
    </message>
    <message>
        <source>{path} is not a text log but a PDF document.</source>
        <translation>{path} 不是文本日志，而是 PDF 文档。</translation>
    </message>
    <message>
        <source>{path} is not a text log but a Windows event log.</source>
        <translation>{path} 不是文本日志，而是 Windows 事件日志。</translation>
    </message>
    <message>
        <source>{path} is not a text log but a database.</source>
        <translation>{path} 不是文本日志，而是数据库。</translation>
    </message>
    <message>
        <source>{path} is not a text log but a language model.</source>
        <translation>{path} 不是文本日志，而是语言模型。</translation>
    </message>
    <message>
        <source>{path} is not a text log but a picture.</source>
        <translation>{path} 不是文本日志，而是图片。</translation>
    </message>
    <message>
        <source>{path} is not a text log but a program.</source>
        <translation>{path} 不是文本日志，而是程序。</translation>
    </message>
    <message>
        <source>{path} is not a text log but a rar archive.</source>
        <translation>{path} 不是文本日志，而是 rar 压缩包。</translation>
    </message>
    <message>
        <source>{path} is not a text log but a zip archive or office document.</source>
        <translation>{path} 不是文本日志，而是 zip 压缩包或 Office 文档。</translation>
    </message>
    <message>
        <source>{path} is not a text log but a zstandard archive.</source>
        <translation>{path} 不是文本日志，而是 zstandard 压缩包。</translation>
    </message>
    <message>
        <source>The oldest lines of {name} are no longer kept in memory: search, counts and answers begin after them. The file is not touched.</source>
        <translation>{name} 最早的日志行已不再保留在内存中：搜索、计数和回答从其后开始。文件本身未受影响。</translation>
    </message>
</context>
<context>
    <name>severity</name>
    <message>
        <source>CRIT</source>
        <translation>严重</translation>
    </message>
    <message>
        <source>ERR</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>WARN</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>NOTE</source>
        <translation>注意</translation>
    </message>
    <message>
        <source>INFO</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>DBG</source>
        <translation>调试</translation>
    </message>
    <message>
        <source>critical</source>
        <translation>严重</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>notice</source>
        <translation>注意</translation>
    </message>
    <message>
        <source>information</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>debug</source>
        <translation>调试</translation>
    </message>
</context>
<context>
    <name>verdicts</name>
    <message>
        <source>Degraded: few drafts are accepted; answers are right, only slower.</source>
        <translation>下降：草稿很少被接受；回答仍然正确，只是较慢。</translation>
    </message>
    <message>
        <source>Degraded: the newest lines are unlike what came before. Check answers against their lines.</source>
        <translation>下降：最新的日志与以往不同。请对照依据行核对回答。</translation>
    </message>
    <message>
        <source>Degraded: {size} MB are in swap, answers slow down. Close other programs.</source>
        <translation>下降：{size} MB 内存被换出，回答会变慢。请关闭其他程序。</translation>
    </message>
    <message>
        <source>Healthy: acceptance is in its band.</source>
        <translation>正常：接受率在目标范围内。</translation>
    </message>
    <message>
        <source>Healthy: drafts are accepted above the set-point.</source>
        <translation>正常：接受率高于目标。</translation>
    </message>
    <message>
        <source>Healthy: plain decoding, every word comes from the target model.</source>
        <translation>正常：普通解码，每个词都出自目标模型。</translation>
    </message>
    <message>
        <source>Healthy: the log reads as it did before.</source>
        <translation>正常：日志与以往一致。</translation>
    </message>
    <message>
        <source>Healthy: the whole log so far stands in the window.</source>
        <translation>正常：目前的日志全部在窗口内。</translation>
    </message>
    <message>
        <source>Healthy: the window is full, the oldest lines leave.</source>
        <translation>正常：窗口已满，最旧的行依次移出。</translation>
    </message>
    <message>
        <source>Measuring: a little more log is needed.</source>
        <translation>测量中：还需要更多日志。</translation>
    </message>
    <message>
        <source>Measuring: learning what is usual here.</source>
        <translation>测量中：正在了解平常水平。</translation>
    </message>
    <message>
        <source>No model answers: see the notice at the top.</source>
        <translation>没有模型可以回答：请看上方通知。</translation>
    </message>
    <message>
        <source>The cache is not set up yet.</source>
        <translation>缓存尚未建立。</translation>
    </message>
    <message>
        <source>The models are loading.</source>
        <translation>正在加载模型。</translation>
    </message>
</context>
</TS>
