"""Invented logs of many layouts; none is a copy of a public log."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import datetime, timedelta


def web() -> str:
    """A web server's access log, combined format."""
    rng, at = random.Random(11), datetime(2025, 3, 4, 9, 58, 12)
    agents = ["Mozilla/5.0 (X11; Linux x86_64)", "curl/8.5.0", "kube-probe/1.29"]
    clients = ["10.20.0.5", "10.20.0.9", "192.168.44.17", "203.0.113.77"]
    lines = []
    for number in range(260):
        at += timedelta(seconds=rng.randint(1, 40))
        client = rng.choices(clients, [5, 3, 2, 1])[0]
        path = rng.choice(["/", "/index.html", "/api/v1/orders", "/api/v1/stock", "/img/logo.png"])
        status, size = rng.choices([200, 304, 404, 500], [12, 3, 2, 1])[0], rng.randint(180, 9000)
        method = "POST" if path.startswith("/api") and rng.random() < 0.4 else "GET"
        if number == 131:
            client, path, status, method = "203.0.113.77", "/admin/login.php", 403, "POST"
        stamp = at.strftime("%d/%b/%Y:%H:%M:%S +0800")
        lines.append(
            f'{client} - - [{stamp}] "{method} {path} HTTP/1.1" '
            f'{status} {size} "-" "{rng.choice(agents)}"'
        )
    return "\n".join(lines)


def cluster() -> str:
    """A supercomputer's event log: epoch, dates with dots, node, facility, severity."""
    rng, at = random.Random(12), datetime(2006, 7, 9, 3, 10, 5)
    nodes = ["R10-M0-N3-C:J05-U01", "R11-M1-N7-C:J12-U11", "R27-M1-N4-I:J18-U01"]
    lines = []
    for number in range(240):
        at += timedelta(seconds=rng.randint(5, 300))
        node = rng.choices(nodes, [6, 3, 1])[0]
        kind = rng.random()
        if number == 57:
            tail = (
                "RAS KERNEL FATAL machine check interrupt (bit=0x1d): L2 dcache unit "
                "read return parity error"
            )
        elif kind < 0.5:
            tail = "RAS KERNEL INFO instruction cache parity error corrected"
        elif kind < 0.7:
            tail = f"RAS KERNEL INFO {rng.randint(100, 9999)} double-hummer alignment exceptions"
        elif kind < 0.85:
            tail = (
                "RAS APP FATAL ciod: failed to read message prefix on control stream "
                f"(CioStream socket to 172.16.96.{rng.randint(10, 200)}:"
                f"{rng.randint(30000, 60000)})"
            )
        else:
            tail = f"RAS KERNEL INFO generating core.{rng.randint(1, 9000)}"
        stamp = at.strftime("%Y-%m-%d-%H.%M.%S") + f".{rng.randint(0, 999999):06d}"
        epoch = int((at - datetime(1970, 1, 1)).total_seconds())
        lines.append(f"- {epoch} {at:%Y.%m.%d} {node} {stamp} {node} {tail}")
    return "\n".join(lines)


def mapreduce() -> str:
    """A Java job's log: level, thread in brackets, dotted class, message."""
    rng, at = random.Random(13), datetime(2019, 10, 18, 18, 1, 47, 978000)
    lines = []
    for number in range(230):
        at += timedelta(milliseconds=rng.randint(20, 4000))
        stamp = f"{at:%Y-%m-%d %H:%M:%S},{at.microsecond // 1000:03d}"
        kind = rng.random()
        attempt = f"attempt_1571_{rng.randint(1, 3):04d}_m_{rng.randint(0, 9):06d}_0"
        if number == 4:
            line = (
                "INFO [main] org.acme.mapreduce.v2.app.MRAppMaster: Executing with "
                "tokens for user jenkins"
            )
        elif number in (150, 199):
            line = (
                "ERROR [RMCommunicator Allocator] "
                "org.acme.mapreduce.v2.app.rm.RMContainerAllocator: Could not "
                f"deallocate container for task {attempt}"
            )
        elif kind < 0.4:
            line = (
                f"INFO [IPC Server handler {rng.randint(0, 29)} on 62270] "
                "org.acme.mapred.TaskAttemptListenerImpl: Progress of TaskAttempt "
                f"{attempt} is : {rng.random():.6f}"
            )
        elif kind < 0.6:
            line = (
                "WARN [LeaseRenewer:msrabi@msra-sa-41:9000] org.acme.ipc.Client: "
                "Address change detected. Old: msra-sa-41/10.190.173.170:9000 New: "
                "msra-sa-41:9000"
            )
        elif kind < 0.8:
            line = (
                "INFO [RMCommunicator Allocator] "
                "org.acme.mapreduce.v2.app.rm.RMContainerAllocator: Recalculating "
                f"schedule, headroom=<memory:{1024 * (40 - number // 10)}, vCores:-27>"
            )
        else:
            line = (
                "INFO [AsyncDispatcher event handler] "
                f"org.acme.mapreduce.v2.app.job.impl.TaskAttemptImpl: {attempt} "
                "TaskAttempt Transitioned from NEW to UNASSIGNED"
            )
        lines.append(f"{stamp} {line}")
    return "\n".join(lines)


def phone() -> str:
    """A phone's log: month-day, clock, pid, tid, one-letter level, tag, message."""
    rng, at = random.Random(14), datetime(2025, 3, 17, 16, 13, 38, 811000)
    lines = []
    battery = 81
    for number in range(250):
        at += timedelta(milliseconds=rng.randint(5, 9000))
        stamp = f"{at:%m-%d %H:%M:%S}.{at.microsecond // 1000:03d}"
        pid, tid = rng.choice([(1702, 2395), (2227, 2227), (1702, 17632), (2626, 2626)])
        kind = rng.random()
        if number == 90:
            level, tag, text = (
                "E",
                "CameraService",
                "connect: camera 0 refused client 10083, device is in use",
            )
        elif kind < 0.35:
            level, tag, text = (
                "D",
                "PowerManagerService",
                f'acquire lock=2339{rng.randint(100, 999)}, flags=0x1, tag="View '
                f'Lock", name=com.acme.systemui, ws=null, uid=10037, pid={pid}',
            )
        elif kind < 0.6:
            level, tag, text = (
                "I",
                "WindowManager",
                "printFreezingDisplayLogsopening app wtoken = "
                f"AppWindowToken{{9f4ef{rng.randint(10, 99)}}}, allDrawn= false",
            )
        elif kind < 0.75:
            battery -= rng.random() < 0.3
            level, tag, text = "I", "BatteryMonitor", f"battery level {battery} status 3"
        elif kind < 0.9:
            level, tag, text = (
                "V",
                "PhoneStatusBar",
                f"setLightsOn({rng.choice(['true', 'false'])})",
            )
        else:
            level, tag, text = (
                "W",
                "ActivityManager",
                f"getTasks: caller {rng.choice([10111, 10113])} does not hold "
                "REAL_GET_TASKS; limiting output",
            )
        lines.append(f"{stamp}  {pid}  {tid} {level} {tag}: {text}")
    return "\n".join(lines)


def alarms() -> str:
    """A line controller's alarm export in Chinese: CSV with a header row."""
    rng, at = random.Random(15), datetime(2025, 6, 2, 7, 30, 0)
    lines = ["时间,级别,设备,报警号,描述,数值"]
    stations = ["S10-上料", "S20-焊接", "S30-视觉检测", "S40-包装"]
    temperature = 41.0
    for number in range(220):
        at += timedelta(seconds=rng.randint(10, 90))
        station = rng.choices(stations, [2, 3, 5, 1])[0]
        kind = rng.random()
        if number == 120:
            row = ("严重", "S20-焊接", "E2001", "急停按钮被按下", "")
        elif kind < 0.3:
            row = ("报警", station, "A1032", "气压低于下限", f"{rng.uniform(0.35, 0.45):.2f} MPa")
        elif kind < 0.6:
            temperature += rng.uniform(0.0, 0.3)
            row = ("信息", "S20-焊接", "I0007", "焊头温度", f"{temperature:.1f} ℃")
        elif kind < 0.8:
            row = ("警告", station, "W2205", "光幕被遮挡", "")
        else:
            row = ("信息", station, "I0001", "节拍完成", f"{rng.uniform(11, 14):.2f} s")
        lines.append(",".join([f"{at:%Y-%m-%d %H:%M:%S}", *row]))
    return "\n".join(lines)


def services() -> str:
    """Services that write JSON, one object a line."""
    rng, at = random.Random(16), datetime(2025, 11, 20, 22, 40, 0)
    lines = []
    queue = 3
    for number in range(240):
        at += timedelta(seconds=rng.randint(5, 60))
        queue += rng.choice([0, 0, 1])
        kind = rng.random()
        record: dict[str, object] = {"ts": at.strftime("%Y-%m-%dT%H:%M:%S.") + "120Z"}
        if number == 77:
            record |= {"level": "fatal", "service": "gateway", "msg": "certificate expired"}
            record |= {"host": "edge-07", "days": -1}
        elif kind < 0.4:
            record |= {"level": "info", "service": "orders", "msg": "order accepted"}
            record |= {"order_id": f"OR-{10400 + number}", "latency_ms": rng.randint(8, 240)}
        elif kind < 0.6:
            customer = rng.choice(["c-301", "c-417", "c-417", "c-777"])
            record |= {"level": "warn", "service": "billing", "msg": "retrying payment"}
            record |= {"attempt": rng.randint(1, 5), "customer": customer}
        elif kind < 0.8:
            record |= {"level": "info", "service": "queue", "msg": "queue depth", "depth": queue}
        else:
            code = rng.choice(["E42", "E42", "E17", "E99"])
            record |= {
                "level": "error",
                "service": "billing",
                "msg": "payment failed",
                "code": code,
            }
        lines.append(json.dumps(record))
    return "\n".join(lines)


def proxy() -> str:
    """A desktop proxy's log: bracketed month.day, program, dash, what it did."""
    rng, at = random.Random(17), datetime(2025, 10, 30, 16, 49, 6)
    lines = []
    programs = ["chrome.exe", "WeChat.exe", "Dropbox.exe", "git-remote-https.exe"]
    for number in range(230):
        at += timedelta(seconds=rng.randint(1, 60))
        program = rng.choices(programs, [8, 3, 2, 1])[0]
        host = rng.choice(["cache.acme.test:5070", "proxy.acme.test:5070"])
        if number == 60:
            tail = (
                "mail.acme.test:993 error : Could not connect through proxy "
                "proxy.acme.test:5070 - Proxy server cannot establish a connection "
                "with the target, status code 403"
            )
        elif rng.random() < 0.5:
            tail = f"{host} open through proxy {host} HTTPS"
        else:
            tail = (
                f"{host} close, {rng.randint(300, 90000)} bytes sent, "
                f"{rng.randint(100, 90000)} bytes received, lifetime "
                f"00:{rng.randint(0, 59):02d}"
            )
        lines.append(f"[{at:%m.%d %H:%M:%S}] {program} - {tail}")
    return "\n".join(lines)


def cloud() -> str:
    """A cloud controller's log: file name, time, pid, level, dotted module, request id."""
    rng, at = random.Random(18), datetime(2025, 5, 16, 0, 0, 0, 8000)
    lines = []
    instances = ["b9000564-fe1a-409b-b8cc-1e88b294cd1d", "7d1f1c2e-33aa-4f0e-9d55-0b7f5a2c9e10"]
    for number in range(220):
        at += timedelta(milliseconds=rng.randint(100, 6000))
        stamp = f"{at:%Y-%m-%d %H:%M:%S}.{at.microsecond // 1000:03d}"
        kind = rng.random()
        if number == 33:
            tail = (
                "3042 WARNING stratus.virt.driver [-] Unknown base file: "
                "/var/lib/stratus/instances/_base/a489c868f0c3"
            )
        elif kind < 0.5:
            tail = (
                f"25746 INFO stratus.api.wsgi [req-{rng.randint(10**7, 10**8)} "
                f'tenant-113d] 10.11.10.{rng.choice([1, 1, 1, 2])} "GET '
                f'/v2/servers/detail HTTP/1.1" status: {rng.choice([200, 200, 200, 404])} '
                f"len: 1893 time: 0.{rng.randint(1000, 9999)}"
            )
        elif kind < 0.8:
            tail = (
                f"2931 INFO stratus.compute.manager [req-{rng.randint(10**7, 10**8)} "
                f"-] [instance: {rng.choice(instances)}] "
                f"VM {rng.choice(['Started', 'Stopped', 'Paused'])} "
                "(Lifecycle Event)"
            )
        else:
            tail = (
                "2931 INFO stratus.compute.claims [-] [instance: "
                f"{rng.choice(instances)}] Total memory: 64172 MB, used: {512 + number}.00 "
                "MB"
            )
        lines.append(f"stratus-api.log.1 {stamp} {tail}")
    return "\n".join(lines)


def desktop() -> str:
    """A desktop's system log: syslog without a year, several programs."""
    rng, at = random.Random(19), datetime(2025, 7, 1, 9, 0, 55)
    lines = []
    for number in range(240):
        at += timedelta(seconds=rng.randint(10, 400))
        stamp = f"{at:%b} {at.day:2d} {at:%H:%M:%S}"
        kind = rng.random()
        if number == 101:
            line = (
                "kernel[0]: Sandbox: com.acme.Addres(38678) deny(1) network-outbound "
                "/private/var/run/mDNSResponder"
            )
        elif number == 160:
            line = "kernel[0]: Previous sleep cause: 5"
        elif kind < 0.5:
            line = (
                f"kernel[0]: ARPT: {rng.randint(600000, 700000)}.{rng.randint(100000, 999999)}: "
                "wl0: setup_keepalive: Remote IP: "
                f"{rng.choice(['17.249.28.75', '17.249.28.75', '17.249.12.88'])}"
            )
        elif kind < 0.75:
            line = (
                f"com.acme.cts[{rng.randint(40, 80)}]: com.acme.suggestions.harvest: "
                "scheduler_evaluate_activity told me to run this job; however, but "
                f"the start time isn't for {rng.randint(1000, 700000)} seconds.  "
                "Ignoring."
            )
        else:
            line = (
                f"corecaptured[{rng.choice([31174, 32778])}]: CCFile::captureLogRun "
                "Skipping current file Dir file"
            )
        lines.append(f"{stamp} lab-host-7 {line}")
    return "\n".join(lines)


def racks() -> str:
    """A machine room's event log: record number, node, subsystem, event, epoch, flag, text."""
    rng, at = random.Random(20), 1_146_000_000
    lines = []
    for number in range(230):
        at += rng.randint(30, 900)
        node = f"node-{rng.choice([12, 12, 12, 77, 103])}"
        kind = rng.random()
        if kind < 0.5:
            body = (
                "unix.hw state_change.unavailable {at} 1 Component State Change: "
                "Component \\042alt0\\042 is in the unavailable state (HWID=3180)"
            )
        elif kind < 0.8:
            body = (
                "boot_cmd new {at} 1 Targeting domains:node-D1 and "
                "nodes:node-[40-63] child of command 2252"
            )
        else:
            body = (
                f"node temphigh {{at}} 1 temperature ({rng.randint(25, 48)}) exceeds "
                "warning threshold"
            )
        lines.append(f"{134000 + number} {node} {body.format(at=at)}")
    return "\n".join(lines)


SAMPLES: dict[str, Callable[[], str]] = {
    "web.log": web,
    "cluster.log": cluster,
    "mapreduce.log": mapreduce,
    "phone.log": phone,
    "alarms.csv": alarms,
    "services.jsonl": services,
    "proxy.log": proxy,
    "cloud.log": cloud,
    "desktop.log": desktop,
    "racks.log": racks,
}
