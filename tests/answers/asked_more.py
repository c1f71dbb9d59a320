"""Questions about the further invented logs."""

from __future__ import annotations

import re
from collections import Counter

from tests.answers.asked import Case
from tests.answers.more_samples import MORE_SAMPLES

_LINES = {log: make().split("\n") for log, make in MORE_SAMPLES.items()}


def _n(log: str, pattern: str) -> str:
    return str(sum(bool(re.search(pattern, line)) for line in _LINES[log]))


def _of(log: str, pattern: str, *, last: bool = False) -> str:
    found = [match for line in _LINES[log] if (match := re.search(pattern, line))]
    return found[-1 if last else 0].group(1)


def _at(log: str, pattern: str, *, last: bool = False) -> str:
    return _of(log, rf"(\d\d:\d\d:\d\d).*{pattern}", last=last)


def _top(log: str, pattern: str) -> tuple[str, str]:
    found = (re.search(pattern, line) for line in _LINES[log])
    ((value, count),) = Counter(match.group(1) for match in found if match).most_common(1)
    return value, str(count)


def _highest(log: str, pattern: str) -> str:
    return max((m for line in _LINES[log] for m in re.findall(pattern, line)), key=float)


B, D, F, C, G = MORE_SAMPLES
_UP = ("rising", "上升")
_QUESTIONS: tuple[tuple[str, str, tuple[str | tuple[str, ...], ...], str], ...] = (
    (B, 'How many lines say "tftp: client does not accept options"?', (_n(B, "tftp: c"),), "tftp"),
    (B, "Which host wrote the most lines, and how many?", _top(B, r"^- \d+ \S+ (\S+)"), ""),
    (B, '"synchronized to" 后面的地址,哪个出现最多?多少行?', _top(B, r"ed to (\S+),"), "ed to"),
    (B, 'When did ntpd first log "synchronized to"?', (_at(B, "ntpd"),), "ntpd"),
    (
        B,
        '最后一条 "session closed for user root" 是几点?',
        (_at(B, "closed", last=True),),
        "closed",
    ),
    (
        B,
        'On November 9 from 13:00:00 to 13:59:59, how many crond lines say "session opened"?',
        (_n(B, r"Nov 9 13:.*crond.*session opened"),),
        "opened",
    ),
    (B, "What did the kernel notice about the CPU?", ("ticks",), "Losing"),
    (B, "Which program logged most often?", ("crond", _n(B, "crond")), "crond"),
    (B, "这个日志里主要在发生什么?", ("session",), ""),
    (D, "How many ERROR lines are there?", (_n(D, "ERROR:"),), "ERROR"),
    (D, "How many times was a deadlock detected?", (_n(D, "deadlock"),), "deadlock"),
    (D, "What is the longest duration of a statement, in ms?", (_highest(D, r"([\d.]+) ms"),), ""),
    (D, '最慢的一条 SQL 语句("duration")用了多少毫秒?', (_highest(D, r"([\d.]+) ms"),), ""),
    (D, "Why were connections refused at the FATAL line?", ("connection slots",), "FATAL"),
    (D, 'Which table is selected from most ("SELECT * FROM")?', _top(D, r"FROM (\w+)")[:1], ""),
    (
        D,
        'Does the number of buffers written at "checkpoint complete" rise? Give first and last.',
        (_UP, _of(D, r"wrote (\d+)"), _of(D, r"wrote (\d+)", last=True)),
        "wrote",
    ),
    (D, "Which unique constraint is violated?", ("orders_pkey",), "orders_pkey"),
    (
        D,
        'How many "connection authorized" lines were written between 06:10:00 and 06:19:59?',
        (_n(D, r" 06:1\d:.*connection authorized"),),
        "",
    ),
    (F, "Which dstport occurs in the most lines, and in how many?", _top(F, r"dstport=(\d+)"), ""),
    (F, "哪个目的端口(dstport)最多?", _top(F, r"dstport=(\d+)")[:1], ""),
    (
        F,
        "Which attack was dropped, and where did it come from?",
        ("SQL.Injection", "203.0.113.9"),
        "attack",
    ),
    (F, "IPS 拦截的攻击叫什么?", ("SQL.Injection",), "attack"),
    (
        F,
        "How many lines have action=accept and dstport=22?",
        (_n(F, "dstport=22 action=accept"),),
        "",
    ),
    (F, "level=warning 的有几行?", (_n(F, "level=warning"),), ""),
    (F, "What is the highest sentbyte value?", (_highest(F, r"sentbyte=(\d+)"),), ""),
    (
        C,
        "Which pod failed its readiness probe most often, and how many times?",
        _top(C, r'Readiness.*pod "(\S+)"'),
        "Readiness",
    ),
    (
        C,
        "At what disk usage did image garbage collection fail, and what is the threshold?",
        ("91", "85"),
        "garbage",
    ),
    (C, "镜像垃圾回收失败时磁盘使用率是多少?", ("91",), "garbage"),
    (
        C,
        'How does the number of replicas in "Scaled deployment web to" develop?',
        (_of(C, r"to (\d+) rep"), _of(C, r"to (\d+) rep", last=True)),
        "Scaled",
    ),
    (C, "How many lines did prober.go write?", (_n(C, "prober.go"),), ""),
    (C, "When was the first readiness probe failure?", (_at(C, "Readiness"),), "Readiness"),
    (G, "主轴电机为什么停机?温度是多少?", ("过热", "118"), "主轴"),
    (G, "通讯超时一共发生了多少次?", (_n(G, "通讯超时"),), "通讯"),
    (G, "安全门被打开最多的是哪个设备?几次?", _top(G, r"】 (PLC-\d) 安全门"), "安全门"),
    (
        G,
        "轴承温度是上升还是下降?从多少到多少?",
        (_UP, _of(G, r"轴承温度 ([\d.]+)"), _of(G, r"轴承温度 ([\d.]+)", last=True)),
        "轴承",
    ),
    (G, "轴承温度最高是多少?", (_highest(G, r"轴承温度 ([\d.]+)"),), "轴承"),
    (G, 'How many alarm lines ("报警") are there?', (_n(G, "【报警】"),), "报警"),
    (G, "Which device stopped because of an overheated spindle motor?", ("PLC-3",), "主轴"),
    (G, '第一次 "安全门被打开" 是几点?哪个设备?', (_at(G, "安全门"),), "安全门"),
    (
        G,
        "8 点 30 分到 9 点之间通讯超时有几次?",
        (_n(G, r" 08:[345]\d:.*通讯超时"),),
        "通讯",
    ),
    (G, "概括一下这份日志。", ("安全门",), ""),
)
_ABSENT = (
    (B, "Which InfiniBand port went down?"),
    (B, "哪个用户执行了 sudo?"),
    (D, "When did the replication standby fall behind?"),
    (D, "哪张表被 VACUUM 了?"),
    (F, "Which VPN tunnel was torn down?"),
    (F, "192.0.2.99 被拒绝了几次?"),
    (C, "Which node was drained?"),
    (C, 'When was the pod "db-0" evicted?'),
    (G, "液压油泄漏发生在什么时候?"),
    (G, "PLC-9 的心跳正常吗?"),
)


def _groups(must: tuple[str | tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    return tuple((item,) if isinstance(item, str) else item for item in must)


MORE_CASES = [Case(log, text, _groups(must), cited) for log, text, must, cited in _QUESTIONS]
MORE_CASES += [Case(log, text, None) for log, text in _ABSENT]
