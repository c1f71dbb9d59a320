"""More invented logs: a rack cluster, a database, a firewall, containers, a plant gateway."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta


def blades() -> str:
    """A cluster's syslog with epoch, date and machine before the usual head."""
    rng, at = random.Random(1), datetime(2005, 11, 9, 12, 1, 1)
    machines = ["dn228", "dn228", "an12", "tbird-admin1", "bn431"]
    lines = []
    for number in range(300):
        at += timedelta(seconds=rng.randint(1, 90))
        machine, kind = rng.choice(machines), rng.random()
        if number == 111:
            text = "kernel: Losing some ticks... checking if CPU frequency changed."
        elif kind < 0.4:
            state = rng.choice(["opened", "closed"])
            text = f"crond(pam_unix)[{rng.randint(2000, 9000)}]: session {state} for user root"
        elif kind < 0.6:
            node = f"{rng.choice('ABC')}{rng.randint(1, 8)}"
            text = (
                "/apps/x86_64/system/ganglia-3.0.1/sbin/gmetad[1682]: data_thread() got not "
                f"answer from any [Blade_{node}] datasource"
            )
        elif kind < 0.8:
            text = (
                f"ntpd[{rng.randint(2000, 3000)}]: synchronized to "
                f"10.100.{rng.choice([22, 22, 20])}.250, stratum {rng.choice([3, 3, 4])}"
            )
        else:
            text = f"in.tftpd[{rng.randint(14000, 15000)}]: tftp: client does not accept options"
        epoch = int((at - datetime(1970, 1, 1)).total_seconds())
        stamp = f"{at:%b} {at.day} {at:%H:%M:%S}"
        lines.append(f"- {epoch} {at:%Y.%m.%d} {machine} {stamp} {machine}/{machine} {text}")
    return "\n".join(lines)


def database() -> str:
    """A database server's log: time, process, session, level and two spaces."""
    rng, at = random.Random(2), datetime(2024, 8, 15, 6, 0, 0)
    lines = []
    for number in range(260):
        at += timedelta(milliseconds=rng.randint(100, 20000))
        kind = rng.random()
        session = rng.choice(["app@shop", "app@shop", "report@shop", "admin@postgres"])
        if number == 200:
            text = "FATAL:  remaining connection slots are reserved for superuser connections"
        elif kind < 0.4:
            table = rng.choice(["orders", "orders", "customers", "stock"])
            text = (
                f"LOG:  duration: {rng.uniform(10, 4000):.3f} ms  statement: "
                f"SELECT * FROM {table} WHERE id = {rng.randint(1, 9999)}"
            )
        elif kind < 0.6:
            text = 'ERROR:  duplicate key value violates unique constraint "orders_pkey"'
        elif kind < 0.7:
            text = "ERROR:  deadlock detected"
        elif kind < 0.9:
            user = rng.choice(["app", "report"])
            text = f"LOG:  connection authorized: user={user} database=shop"
        else:
            share = rng.uniform(0.1, 3)
            text = f"LOG:  checkpoint complete: wrote {50 + number} buffers ({share:.1f}%)"
        stamp = f"{at:%Y-%m-%d %H:%M:%S}.{at.microsecond // 1000:03d} UTC"
        lines.append(f"{stamp} [{rng.randint(100, 140)}] {session} {text}")
    return "\n".join(lines)


def firewall() -> str:
    """A firewall's log of key=value pairs."""
    rng, at = random.Random(3), datetime(2025, 1, 20, 23, 30, 0)
    sources = ["192.0.2.10", "192.0.2.10", "192.0.2.44", "198.51.100.7"]
    lines = []
    for number in range(280):
        at += timedelta(seconds=rng.randint(1, 30))
        head = f"date={at:%Y-%m-%d} time={at:%H:%M:%S} devname=FW-01"
        target = rng.choice(["10.1.1.5", "10.1.1.6"])
        action = "deny" if rng.random() < 0.4 else "accept"
        level = "warning" if action == "deny" else "notice"
        text = (
            f"{head} level={level} type=traffic srcip={rng.choice(sources)} "
            f"srcport={rng.randint(1024, 65000)} dstip={target} "
            f"dstport={rng.choice([22, 443, 443, 3389])} action={action} "
            f"sentbyte={rng.randint(40, 99999)}"
        )
        if number == 150:
            text = (
                f'{head} level=alert type=ips attack="SQL.Injection" srcip=203.0.113.9 '
                "dstip=10.1.1.5 action=dropped"
            )
        lines.append(text)
    return "\n".join(lines)


def containers() -> str:
    """A container platform's log: level letter and date in one word, file and line."""
    rng, at = random.Random(4), datetime(2025, 9, 3, 14, 0, 0)
    lines = []
    for number in range(260):
        at += timedelta(milliseconds=rng.randint(50, 9000))
        kind, letter = rng.random(), "I"
        if number == 99:
            letter = "E"
            text = (
                "kubelet.go:1302] Image garbage collection failed: "
                "disk usage 91% is over threshold 85%"
            )
        elif kind < 0.4:
            text = (
                "reconciler.go:224] operationExecutor.MountVolume started for volume "
                f'"config-{rng.randint(1, 4)}" pod "web-{rng.choice([0, 0, 1, 2])}"'
            )
        elif kind < 0.6:
            letter = "W"
            text = (
                "prober.go:111] Readiness probe failed for pod "
                f'"api-{rng.choice([3, 3, 4])}": HTTP status 503'
            )
        elif kind < 0.8:
            text = f"scale.go:88] Scaled deployment web to {2 + number // 40} replicas"
        else:
            text = "leaderelection.go:245] successfully acquired lease kube-system/scheduler"
        stamp = f"{letter}{at:%m%d %H:%M:%S}.{at.microsecond:06d}"
        lines.append(f"{stamp}    {rng.randint(1, 3)} {text}")
    return "\n".join(lines)


def gateway() -> str:
    """A plant gateway's log in Chinese, its level in angular brackets."""
    rng, at = random.Random(5), datetime(2025, 4, 8, 8, 0, 0)
    lines = []
    bearing = 62.0
    for number in range(260):
        at += timedelta(seconds=rng.randint(2, 60))
        kind = rng.random()
        device = rng.choice(["PLC-1", "PLC-2", "PLC-2", "PLC-3"])
        if number == 77:
            text = "【严重】 主轴电机过热停机, 温度 118℃, 设备 PLC-3"
        elif kind < 0.3:
            text = f"【提示】 {device} 心跳正常"
        elif kind < 0.5:
            text = f"【警告】 {device} 通讯超时, 第 {rng.randint(1, 3)} 次重试"
        elif kind < 0.8:
            bearing += rng.uniform(-0.1, 0.4)
            text = f"【提示】 轴承温度 {bearing:.1f}℃, 设备 PLC-1"
        else:
            text = f"【报警】 {device} 安全门被打开"
        lines.append(f"{at:%Y/%m/%d %H:%M:%S} {text}")
    return "\n".join(lines)


MORE_SAMPLES: dict[str, Callable[[], str]] = {
    "blades.log": blades,
    "database.log": database,
    "firewall.log": firewall,
    "containers.log": containers,
    "gateway.log": gateway,
}
