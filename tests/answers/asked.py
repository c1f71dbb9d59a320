"""Questions about the invented logs, in other words than any set, with what must be answered."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from tests.answers.samples import SAMPLES


@dataclass(frozen=True)
class Case:
    """A question with its answer.

    Attributes:
        must: one of each group has to be in the answer; None where the log holds no answer.
        cited: a regular expression that a cited line has to match; empty for any.
    """

    log: str
    question: str
    must: tuple[tuple[str, ...], ...] | None
    cited: str = ""


@lru_cache
def _lines(log: str) -> tuple[str, ...]:
    return tuple(SAMPLES[log]().split("\n"))


def _n(log: str, pattern: str) -> str:
    return str(sum(bool(re.search(pattern, line)) for line in _lines(log)))


def _line(log: str, pattern: str, last: bool = False) -> str:
    return [line for line in _lines(log) if re.search(pattern, line)][-1 if last else 0]


def _value(log: str, line_pattern: str, pattern: str, *, last: bool = False) -> str:
    found = re.search(pattern, _line(log, line_pattern, last))
    assert found is not None
    return found.group(1)


def _clock(log: str, pattern: str, *, last: bool = False) -> str:
    found = re.search(
        r"(?<!\d{4}:)(?<!\d)\d\d:\d\d:\d\d|\d\d\.\d\d\.\d\d(?=\.\d{6})",
        re.sub(r"\d{4}:", " ", _line(log, pattern, last)),
    )
    assert found is not None
    return found.group().replace(".", ":")


def _top(log: str, pattern: str) -> tuple[str, str]:
    found = (re.search(pattern, line) for line in _lines(log))
    ((value, count),) = Counter(match.group(1) for match in found if match).most_common(1)
    return value, str(count)


def _highest(log: str, pattern: str) -> str:
    found = [m for line in _lines(log) for m in re.findall(pattern, line)]
    return max(found, key=float)


CASES: list[Case] = []


def _ask(log: str, question: str, *must: str | tuple[str, ...], cited: str = "") -> None:
    groups = tuple((item,) if isinstance(item, str) else item for item in must)
    CASES.append(Case(log, question, groups, cited))


def _absent(log: str, *questions: str) -> None:
    CASES.extend(Case(log, question, None) for question in questions)


_LOG = "web.log"
_ask(_LOG, "How many requests in web.log got the status 404?", _n(_LOG, '" 404 '))
_ask(
    _LOG,
    'How many lines contain "POST /api/v1/orders"?',
    _n(_LOG, "POST /api/v1/orders"),
    cited="POST /api/v1/orders",
)
_ask(_LOG, "Which client address sent the most requests, and how many?", *_top(_LOG, r"^(\S+) "))
_ask(_LOG, "哪个客户端 IP 的请求最多?有多少条?", *_top(_LOG, r"^(\S+) "))
_ask(
    _LOG,
    "Which status code is the most frequent one and how many lines carry it?",
    *_top(_LOG, r'" (\d{3}) '),
)
_ask(
    _LOG,
    'From which address did somebody try "/admin/login.php", and what status did they get?',
    "203.0.113.77",
    "403",
    cited="admin/login",
)
_ask(
    _LOG,
    'Between 10:30:00 and 10:59:59, how many requests asked for "/index.html"?',
    _n(_LOG, "2025:10:[345].*/index.html"),
)
_ask(
    _LOG,
    "When did the first request answered with a 500 arrive?",
    _value(_LOG, '" 500 ', r":(\d\d:\d\d:\d\d) "),
    cited='" 500 ',
)
_ask(
    _LOG,
    '最后一次 "GET /img/logo.png" 是几点?',
    _value(_LOG, "GET /img/logo.png", r":(\d\d:\d\d:\d\d) ", last=True),
)
_ask(
    _LOG,
    "What is this log mostly about?",
    (
        "GET",
        "request",
        "HTTP",
    ),
)
_ask(_LOG, "What did 203.0.113.77 request at the admin page?", "/admin/login.php", cited="admin")
_absent(
    _LOG,
    "有没有人访问过 /wp-login.php?",
    "Which client uploaded a file with the PUT method?",
    "Which request caused a redirect with status 301?",
    "有没有状态码为 502 的请求?",
    "When was the TLS certificate renewed?",
)

_LOG = "cluster.log"
_ask(_LOG, "How many FATAL lines are there?", _n(_LOG, " FATAL "), cited=" FATAL ")
_ask(_LOG, "级别为 FATAL 的日志一共有几条?", _n(_LOG, " FATAL "), cited=" FATAL ")
_ask(
    _LOG,
    "Which node location appears in the most lines, and in how many?",
    *_top(_LOG, r"(R\d\d-\S+)"),
)
_ask(
    _LOG,
    'When was the first "machine check interrupt" reported and on which node?',
    _clock(_LOG, "machine check"),
    _value(_LOG, "machine check", r"(R\d\d-\S+)"),
    cited="machine check",
)
_ask(
    _LOG,
    "What kind of error did the machine check interrupt report?",
    "parity error",
    cited="machine check",
)
_ask(
    _LOG,
    'What was the last "generating core" line, and which core number did it generate?',
    _value(_LOG, "generating core", r"core\.(\d+)", last=True),
    cited="generating core",
)
_ask(
    _LOG,
    '2006 年 7 月 9 日 5 点到 6 点之间有多少行 "instruction cache parity error corrected"?',
    _n(_LOG, r"2006-07-09-05\..*instruction cache"),
)
_ask(
    _LOG,
    "Which facility, KERNEL or APP, wrote more lines? Give the count.",
    "KERNEL",
    _n(_LOG, " KERNEL "),
)
_ask(
    _LOG,
    "Which cache unit had the parity error of the machine check?",
    "L2 dcache",
    cited="machine check",
)
_absent(
    _LOG,
    "Which node reported a torus receiver error?",
    'How many lines mention "ddr error detected"?',
    "Which fan module failed?",
    "节点 R99-M0-N0 的错误有几条?",
)

_LOG = "mapreduce.log"
_ask(_LOG, "How many WARN messages did org.acme.ipc.Client log?", _n(_LOG, "WARN .*ipc.Client"))
_ask(_LOG, "Which class logged the most lines?", "TaskAttemptListenerImpl")
_ask(
    _LOG,
    "写日志最多的类是哪个,写了多少行?",
    "TaskAttemptListenerImpl",
    _n(_LOG, "TaskAttemptListenerImpl"),
)
_ask(_LOG, "For which user did MRAppMaster execute with tokens?", "jenkins", cited="jenkins")
_ask(
    _LOG,
    "At what time was the last ERROR logged, and what could not be deallocated?",
    _clock(_LOG, " ERROR ", last=True),
    "container",
    cited=" ERROR ",
)
_ask(
    _LOG,
    'What time was it when "Could not deallocate container" turned up for the first time?',
    _clock(_LOG, "Could not deallocate"),
    cited="Could not deallocate",
)
_ask(
    _LOG,
    'Is the headroom memory in the "Recalculating schedule" lines going up or going down?',
    (
        "fall",
        "down",
        "decreas",
    ),
)
_ask(
    _LOG,
    '"Recalculating schedule" 行里的 memory 数值是上升还是下降?',
    (
        "下降",
        "降",
    ),
)
_ask(_LOG, '"Address change detected" 出现了多少次?', _n(_LOG, "Address change detected"))
_ask(
    _LOG, 'What is the new address after the "Address change detected" message?', "msra-sa-41:9000"
)
_ask(_LOG, "MRAppMaster 是以哪个用户的 token 运行的?", "jenkins", cited="jenkins")
_absent(
    _LOG,
    "Which container was killed by the ApplicationMaster because of exceeding memory limits?",
    "任务 attempt_1571_0009_m_000001_0 的进度是多少?",
    "Which reducer failed during the shuffle phase?",
    "作业 job_9999 什么时候完成?",
)

_LOG = "phone.log"
_ask(_LOG, "How many debug lines did PowerManagerService write?", _n(_LOG, "D PowerManagerService"))
_ask(_LOG, "Count the lines with level W.", _n(_LOG, " W [A-Z]"))
_ask(
    _LOG,
    "哪个组件(tag)写的日志最多?多少行?",
    "PowerManagerService",
    _n(_LOG, "PowerManagerService"),
)
_ask(
    _LOG,
    "Does the battery level rise or fall over time, and from what to what?",
    (
        "fall",
        "down",
        "drop",
        "decreas",
    ),
    _value(_LOG, "battery level", r"level (\d+)"),
    _value(_LOG, "battery level", r"level (\d+)", last=True),
)
_ask(
    _LOG,
    "电池电量是升高还是降低?从多少到多少?",
    (
        "降",
        "下降",
        "减少",
    ),
    _value(_LOG, "battery level", r"level (\d+)"),
    _value(_LOG, "battery level", r"level (\d+)", last=True),
)
_ask(_LOG, "Which client was refused by the camera service?", "10083", cited="camera 0 refused")
_ask(_LOG, "相机服务拒绝了哪个客户端?", "10083", cited="camera 0 refused")
_ask(
    _LOG,
    'When was "setLightsOn(true)" first called?',
    _clock(_LOG, r"setLightsOn\(true\)"),
    cited=r"setLightsOn\(true\)",
)
_ask(
    _LOG,
    'Which caller appears most often in the "does not hold REAL_GET_TASKS" lines?',
    _top(_LOG, r"caller (\d+)")[0],
)
_ask(
    _LOG,
    "In the minute 16:20, how many lines mention PowerManagerService?",
    _n(_LOG, "16:20:.*PowerManagerService"),
)
_ask(_LOG, "Why was client 10083 refused by the camera?", "in use", cited="10083")
_absent(
    _LOG,
    "When did the Wi-Fi connection drop?",
    "蓝牙是什么时候断开的?",
    "What was the GPS position of the phone?",
    "What was the incoming phone number?",
    "屏幕亮度调到了多少?",
)

_LOG = "alarms.csv"
_ask(_LOG, '"气压低于下限" 报警一共有多少条?', _n(_LOG, "气压低于下限"), cited="气压低于下限")
_ask(_LOG, "级别是警告的记录有多少条?", _n(_LOG, ",警告,"))
_ask(_LOG, "哪个设备的报警最多?有多少条?", *_top(_LOG, ",报警,([^,]+),"))
_ask(_LOG, "光幕被遮挡次数最多的是哪个工位?", "S30-视觉检测")
_ask(_LOG, "第一次急停是什么时候?在哪个设备?", _clock(_LOG, "急停"), "S20-焊接", cited="急停")
_ask(
    _LOG,
    "When was the emergency stop pressed, and at which station?",
    _clock(_LOG, "急停"),
    "S20",
    cited="急停",
)
_ask(
    _LOG,
    "焊头温度是在上升还是下降?",
    (
        "上升",
        "升",
    ),
)
_ask(
    _LOG,
    'Does the temperature of the welding head ("焊头温度") go up or down? From what to what?',
    (
        "up",
        "ris",
    ),
    _value(_LOG, "焊头温度", r"([\d.]+) ℃"),
    _value(_LOG, "焊头温度", r"([\d.]+) ℃", last=True),
)
_ask(_LOG, "焊头温度最高达到多少?", _highest(_LOG, r"([\d.]+) ℃"))
_ask(_LOG, "8 点到 9 点之间光幕被遮挡了几次?", _n(_LOG, " 08:.*光幕被遮挡"))
_ask(
    _LOG,
    '最后一条 "节拍完成" 记录的节拍是多少秒?',
    _value(_LOG, "节拍完成", r"([\d.]+) s", last=True),
    cited="节拍完成",
)
_ask(
    _LOG,
    "这份日志主要反映了什么情况?",
    (
        "气压",
        "光幕",
        "温度",
    ),
)
_ask(_LOG, "急停报警的报警号是多少?", "E2001", cited="急停")
_ask(_LOG, "E2001 是什么报警?", "急停", cited="E2001")
_absent(
    _LOG,
    "电机过载报警发生在什么时候?",
    "报警号 A9999 出现过几次?",
    "机器人碰撞报警在几点?",
    "S50 工位发生了什么?",
    "When did the conveyor belt tear?",
)

_LOG = "services.jsonl"
_ask(_LOG, "How many error entries did the billing service write?", _n(_LOG, '"error".*billing'))
_ask(
    _LOG,
    'Which error code is the most common in the "payment failed" entries, and how often is it?',
    *_top(_LOG, r'"code": "(\w+)"'),
)
_ask(_LOG, "Which customer had payments retried most often?", "c-417")
_ask(_LOG, "哪个服务写的日志最多?一共多少行?", *_top(_LOG, r'"service": "(\w+)"'))
_ask(
    _LOG,
    "Is the queue depth growing, shrinking or constant, and what are the first and last values?",
    (
        "grow",
        "rising",
        "up",
    ),
    _value(_LOG, "depth", r'"depth": (\d+)'),
    _value(_LOG, "depth", r'"depth": (\d+)', last=True),
)
_ask(_LOG, "On which host did the certificate expire?", "edge-07", cited="certificate expired")
_ask(_LOG, "证书在哪台主机上过期了?", "edge-07", cited="certificate expired")
_ask(
    _LOG,
    "What is the highest latency_ms of an accepted order, and which order was it?",
    _highest(_LOG, r'latency_ms": (\d+)'),
)
_ask(
    _LOG,
    'How many "retrying payment" entries were written on November 20?',
    _n(_LOG, "2025-11-20.*retrying payment"),
)
_ask(
    _LOG,
    "When did the first fatal entry appear, and from which service?",
    _clock(_LOG, '"fatal"'),
    "gateway",
    cited="fatal",
)
_ask(_LOG, "How many days ago did the certificate expire?", "1", cited="certificate")
_absent(
    _LOG,
    "Which database ran out of connections?",
    "Which shipment was lost?",
    "数据库连接池耗尽是什么时候?",
)

_LOG = "proxy.log"
_ask(
    _LOG,
    "Which program opened the most connections, and in how many lines does it appear?",
    "chrome.exe",
)
_ask(_LOG, "How many connections did WeChat.exe close?", _n(_LOG, "WeChat.exe - .*close"))
_ask(
    _LOG,
    "To which host could the proxy not establish a connection, and with what status code?",
    "mail.acme.test",
    "403",
    cited="mail.acme",
)
_ask(_LOG, "连接失败时返回的状态码是多少?", "403", cited="mail.acme")
_ask(_LOG, "Dropbox.exe 一共有多少行?", _n(_LOG, "Dropbox.exe"))
_ask(
    _LOG,
    "What is the largest number of bytes received in one connection?",
    _highest(_LOG, r"(\d+) bytes received"),
)
_ask(
    _LOG,
    'When was the last "open through proxy" line written for git-remote-https.exe?',
    _clock(_LOG, "git-remote-https.exe .*open through proxy", last=True),
)
_ask(_LOG, "What error did mail.acme.test:993 give?", "Could not connect", cited="993")
_absent(
    _LOG,
    "When did firefox.exe open a connection?",
    "Which program used SOCKS5 authentication?",
    "QQ.exe 发送了多少字节?",
)

_LOG = "cloud.log"
_ask(
    _LOG,
    "Which instance had the most lifecycle events, and how many?",
    *_top(_LOG, r"\[instance: (\S+)\] VM "),
)
_ask(_LOG, "How many times was a VM paused?", _n(_LOG, "VM Paused"))
_ask(_LOG, '"VM Stopped" 出现了多少行?', _n(_LOG, "VM Stopped"))
_ask(_LOG, "Which base file was reported as unknown?", "a489c868f0c3", cited="Unknown base file")
_ask(_LOG, "How many API requests returned status: 404?", _n(_LOG, "status: 404"))
_ask(
    _LOG,
    'The "used:" figure in the "Total memory" lines: does it rise, fall or stay the same?',
    (
        "ris",
        "up",
    ),
)
_ask(_LOG, "Which client IP sent the most requests?", "10.11.10.1")
_ask(
    _LOG,
    "What unknown file was found under the instances directory?",
    "a489c868f0c3",
    cited="Unknown base",
)
_absent(
    _LOG,
    "哪个实例被删除(deleted)了?",
    "Which volume was attached to the instance?",
    "Which floating IP was assigned?",
    "哪台宿主机宕机了?",
)

_LOG = "desktop.log"
_ask(_LOG, "What was the previous sleep cause?", "5", cited="sleep cause")
_ask(_LOG, "How many lines did corecaptured write?", _n(_LOG, "corecaptured"))
_ask(
    _LOG,
    "Which remote IP is named most often in the setup_keepalive lines?",
    *_top(_LOG, r"Remote IP: (\S+)"),
)
_ask(_LOG, "哪个进程写的日志最多?", "kernel", _n(_LOG, "kernel"))
_ask(_LOG, "Which operation was denied by the Sandbox?", "network-outbound", cited="deny")
_ask(
    _LOG,
    'How many "captureLogRun" lines are there on July 1 before noon?',
    _n(_LOG, r"^Jul  1 (?:0\d|1[01]):.*captureLogRun"),
)
_ask(_LOG, "最后一条来自 com.acme.cts 的日志是什么时候?", _clock(_LOG, "com.acme.cts", last=True))
_ask(_LOG, "Which application did the sandbox restrict?", "com.acme.Addres", cited="Sandbox")
_ask(_LOG, "上一次睡眠的原因(sleep cause)代码是多少?", "5", cited="sleep cause")
_absent(
    _LOG,
    "Which USB device was unplugged?",
    "系统什么时候因为电池耗尽而关机?",
    "When was Safari started?",
    "Time Machine 备份完成于何时?",
)

_LOG = "racks.log"
_ask(_LOG, "How many temphigh events were recorded?", _n(_LOG, "temphigh"))
_ask(
    _LOG,
    'Which node reported the most "Component State Change" lines?',
    *_top(_LOG, r"(node-\d+) unix"),
)
_ask(
    _LOG,
    "What was the highest temperature that exceeded the warning threshold, and on which node?",
    _highest(_LOG, r"temperature \((\d+)\)"),
)
_ask(_LOG, "超过警告阈值的最高温度是多少?", _highest(_LOG, r"temperature \((\d+)\)"))
_ask(
    _LOG, "How many times was node-77 in the unavailable state?", _n(_LOG, "node-77 .*unavailable")
)
_ask(
    _LOG,
    "Give a short summary of this log.",
    (
        "unavailable",
        "state change",
        "temperature",
    ),
)
_ask(_LOG, "Which node domains were targeted by the boot command?", "node-D1")
_absent(
    _LOG,
    "Which node lost its network link?",
    "node-200 报告过什么?",
    "Which power supply failed?",
    "风扇转速是多少?",
)

# the same logs, asked again in yet other words

_LOG = "cluster.log"
_ask(
    _LOG,
    "Which message did the KERNEL log at level FATAL?",
    "machine check interrupt",
    cited="machine check",
)
_ask(
    _LOG,
    '"ciod: failed to read message prefix" 第一次出现是在几点?来自哪个节点?',
    _clock(_LOG, "ciod: failed"),
    _value(_LOG, "ciod: failed", r"(R\d\d-\S+)"),
    cited="ciod",
)
_ask(
    _LOG,
    'Date and time of the last line that mentions "ciod: failed to read message prefix"?',
    "2006-07-09",
    _clock(_LOG, "ciod: failed", last=True),
    cited="ciod",
)
_ask(
    _LOG,
    'In the "instruction cache parity error corrected" lines, which node is most frequent?',
    *_top(_LOG, r"(R\d\d-\S+) RAS KERNEL INFO instruction"),
)
_ask(
    _LOG,
    'How many "generating core" lines were written in the hour starting at 06:00 on July 9?',
    _n(_LOG, "2006-07-09-06.*generating core"),
)
_ask(
    _LOG,
    "2006-07-09 的 04:00:00 到 04:59:59,级别为 INFO 的有多少行?",
    _n(_LOG, r"2006-07-09-04\..*INFO"),
)
_ask(
    _LOG,
    'Which figure precedes "double-hummer alignment exceptions" in the first such line?',
    _value(_LOG, r"(\d+) double-hummer", r"(\d+) double-hummer"),
    cited="double-hummer",
)
_absent(_LOG, '哪个节点报告了 "total of 1 ddr error"?')
_ask(
    _LOG,
    "In one or two sentences: what does this log record, and what looks wrong?",
    (
        "parity",
        "cache",
    ),
    (
        "FATAL",
        "failed",
        "error",
    ),
)

_LOG = "mapreduce.log"
_ask(
    _LOG,
    'How many lines say "Transitioned from NEW to UNASSIGNED"?',
    _n(_LOG, "Transitioned from NEW to UNASSIGNED"),
    cited="Transitioned",
)
_ask(
    _LOG,
    'Which task attempt could the second "Could not deallocate container" line not free?',
    _value(
        _LOG,
        r"Could not deallocate.*(attempt_\S+)",
        r"Could not deallocate.*(attempt_\S+)",
        last=True,
    ),
)
_ask(
    _LOG,
    'Which attempt is named most often in the "Progress of TaskAttempt" lines?',
    _top(_LOG, r"Progress of TaskAttempt (\S+)")[0],
)
_ask(
    _LOG,
    '"Progress of TaskAttempt" 的行里,哪个 attempt 出现得最多?共有几行?',
    *_top(_LOG, r"Progress of TaskAttempt (\S+)"),
)
_ask(
    _LOG,
    "On 2019-10-18 between 18:03:00 and 18:04:59, how many lines have the level WARN?",
    _n(_LOG, "18:0[34]:.* WARN "),
)
_ask(_LOG, "最后一条 WARN 是什么时候写的?", _clock(_LOG, " WARN ", last=True))
_ask(
    _LOG,
    'How does the memory in the "Recalculating schedule" lines change, from what to what?',
    _value(_LOG, r"memory:(\d+)", r"memory:(\d+)"),
    _value(_LOG, r"memory:(\d+)", r"memory:(\d+)", last=True),
)
_ask(
    _LOG,
    'What was the old address in "Address change detected"?',
    "msra-sa-41/10.190.173.170:9000",
    cited="Address change",
)

_LOG = "phone.log"
_ask(_LOG, '包含 "acquire lock" 的有几行?', _n(_LOG, "acquire lock"))
_ask(_LOG, "How many lines carry the priority letter E?", "1")
_ask(
    _LOG,
    'When did "camera 0 refused client" occur, down to the second?',
    _clock(_LOG, "camera 0"),
    cited="camera 0",
)
_ask(
    _LOG,
    '"battery level" 后面的数字是升高、降低还是不变?首尾各是多少?',
    (
        "降",
        "下降",
    ),
    _value(_LOG, r"level (\d+)", r"level (\d+)"),
    _value(_LOG, r"level (\d+)", r"level (\d+)", last=True),
)
_ask(
    _LOG,
    "Which tag produced the largest number of lines, and how many?",
    "PowerManagerService",
    _n(_LOG, "PowerManagerService"),
)
_ask(
    _LOG,
    'How many "printFreezingDisplayLogs" lines lie between 16:20:00 and 16:24:59?',
    _n(_LOG, "16:2[0-4]:.*printFreezingDisplayLogs"),
)
_ask(_LOG, 'Which uid does the "View Lock" belong to?', "10037")

_LOG = "proxy.log"
_ask(
    _LOG,
    "Which program appears in the most lines, and in how many?",
    "chrome.exe",
    _n(_LOG, "chrome.exe"),
)
_ask(
    _LOG,
    '"open through proxy" 的行里哪个程序最多?有多少行?',
    *_top(_LOG, r"\] (\S+) - .*open through"),
)
_ask(_LOG, "How many lines end with HTTPS?", _n(_LOG, "HTTPS$"))
_ask(
    _LOG,
    'In the "close" lines, what is the largest number of bytes sent, and by which program?',
    _highest(_LOG, r"(\d+) bytes sent"),
)
_ask(
    _LOG,
    "10 月 30 日 17:00:00 到 17:29:59 之间,chrome.exe 有多少行?",
    _n(_LOG, r"10\.30 17:[012]\d:.*chrome.exe"),
)
_ask(
    _LOG,
    "What time is it in the last line about WeChat.exe?",
    _clock(_LOG, "WeChat", last=True),
    cited="WeChat",
)

_LOG = "cloud.log"
_ask(
    _LOG,
    'At which time did "Unknown base file" appear, and which file was it?',
    _clock(_LOG, "Unknown base"),
    "a489c868f0c3",
    cited="Unknown base",
)
_ask(_LOG, '"VM Paused" 一共有几行?', _n(_LOG, "VM Paused"))
_ask(
    _LOG,
    'Which status occurs most often after "status:", and how often?',
    *_top(_LOG, r"status: (\d+)"),
)
_ask(
    _LOG,
    'Does the "used:" value in the claims lines only ever rise, and from what to what?',
    (
        "ris",
        "up",
    ),
    _value(_LOG, r"used: ([\d.]+)", r"used: ([\d.]+)"),
    _value(_LOG, r"used: ([\d.]+)", r"used: ([\d.]+)", last=True),
)
_ask(_LOG, 'What is the longest "time:" in the API lines?', _highest(_LOG, r"time: ([\d.]+)"))
_absent(_LOG, "实例 00000000-1111-2222-3333-444444444444 的状态是什么?")
_absent(_LOG, 'Which request failed with "Quota exceeded"?')

_LOG = "desktop.log"
_ask(
    _LOG,
    'How many lines contain "setup_keepalive: Remote IP: 17.249.12.88"?',
    _n(_LOG, "Remote IP: 17.249.12.88"),
)
_ask(
    _LOG,
    '第一次出现 "Sandbox" 是几点?被拒绝的操作是什么?',
    _clock(_LOG, "Sandbox"),
    "network-outbound",
    cited="Sandbox",
)
_ask(_LOG, "哪个程序写的行数最少?", ("cts",))
_absent(_LOG, "When did the fan speed exceed its limit?")

_LOG = "racks.log"
_ask(
    _LOG,
    'How many "Component State Change" lines are there for node-103?',
    _n(_LOG, "node-103 .*Component State Change"),
)
_ask(
    _LOG, '报告温度过高("temphigh")最多的节点是哪个?几次?', *_top(_LOG, r"(node-\d+) node temphigh")
)
_absent(_LOG, 'Which node reported "PSU failure"?')

_LOG = "web.log"
_ask(_LOG, "How many lines come from the client 192.168.44.17?", _n(_LOG, r"^192\.168\.44\.17 "))
_ask(_LOG, "哪个路径被请求得最多?", _top(_LOG, r'"(?:GET|POST) (\S+)')[0])
_ask(
    _LOG, "Which path was requested most often, and how often?", *_top(_LOG, r'"(?:GET|POST) (\S+)')
)
_ask(
    _LOG,
    "Which user agent is the most common?",
    (
        "Mozilla",
        "curl",
        "kube-probe",
    ),
)
_ask(_LOG, "What is the largest response size in bytes?", _highest(_LOG, r'" \d{3} (\d+) '))
_ask(
    _LOG,
    "How many POST requests arrived between 10:00:00 and 10:29:59?",
    _n(_LOG, r'2025:10:[012]\d:.*"POST '),
)
_ask(_LOG, "状态码是 500 的请求有几条?", _n(_LOG, '" 500 '))

_LOG = "services.jsonl"
_ask(
    _LOG,
    'When was the last "payment failed" entry and which code does it carry?',
    _clock(_LOG, "payment failed", last=True),
    _value(_LOG, r'payment failed.*"code": "(\w+)"', r'payment failed.*"code": "(\w+)"', last=True),
    cited="payment failed",
)
_ask(_LOG, "billing 服务写了多少条 warn 级别的日志?", _n(_LOG, '"warn".*billing'))
_ask(_LOG, "latency_ms 最大是多少?是哪个订单?", _highest(_LOG, r'latency_ms": (\d+)'))
_ask(_LOG, "How many lines did each level get? Which level is the most frequent?", "info")

_LOG = "alarms.csv"
_ask(_LOG, "9:00 到 9:30 之间一共有多少条报警级别的记录?", _n(_LOG, r" 09:[012]\d:\d\d,报警"))
_ask(_LOG, '哪个工位出现 "光幕被遮挡" 最多?多少次?', *_top(_LOG, ",警告,([^,]+),W2205"))
_ask(_LOG, 'How many lines contain "节拍完成"?', _n(_LOG, "节拍完成"))
_ask(_LOG, "节拍最长的一次是多少秒?在哪个设备?", _highest(_LOG, r"([\d.]+) s"))
_ask(_LOG, "What alarm number does the emergency stop have?", "E2001", cited="急停")
