"""Runs one command and watches every process of its session from outside.

CPU time is what the kernel charged to the session's processes, those that have ended included. Memory is sampled: resident
bytes (RSS, shared pages counted once for each process) about 20 times a second, and proportional bytes (PSS, shared pages
counted once in all) twice a second, because the kernel walks all page tables for it.
"""
import dataclasses
import os
import resource
import subprocess
import threading
import time

PAGE = os.sysconf("SC_PAGE_SIZE")
RSS_SECONDS = 0.05
PROCESSES_EVERY = 4     # RSS samples
PSS_EVERY = 10          # RSS samples
SESSION_FIELD = 3   # of /proc/PID/stat, counted behind the name


@dataclasses.dataclass
class Outcome:
    """What one run of a command cost, and the lines it printed, each with its moment."""
    seconds: float
    cpu_seconds: float
    peak_rss_bytes: int
    peak_pss_bytes: int
    peak_processes: int
    sampling_cpu_seconds: float
    lines: list     # of (seconds since the command was started, text)


class Watch(threading.Thread):
    """Samples the memory of a session until it is told to stop."""

    def __init__(self, session):
        super().__init__(daemon=True)
        self.session = session
        self.done = threading.Event()
        self.rss = self.pss = self.processes = 0
        self.cpu_seconds = 0.0

    def run(self):
        before = time.thread_time()
        turn = 0
        pids = []
        while not self.done.is_set():
            if turn % PROCESSES_EVERY == 0:
                pids = session_pids(self.session)
                self.processes = max(self.processes, len(pids))
            if turn % PSS_EVERY == 0:
                self.pss = max(self.pss, sum(pss_bytes(pid) for pid in pids))
            self.rss = max(self.rss, sum(rss_bytes(pid) for pid in pids))
            turn += 1
            self.done.wait(RSS_SECONDS)
        self.cpu_seconds = time.thread_time() - before


def run(command, environment=None):
    """Runs `command` to its end; raises with its output if it fails."""
    cpu_before = children_cpu_seconds()
    started = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, start_new_session=True, env={**os.environ, **(environment or {})})
    watch = Watch(process.pid)
    watch.start()
    with process.stdout as output:
        lines = [(time.monotonic() - started, line.rstrip("\n")) for line in output]
    code = process.wait()
    seconds = time.monotonic() - started
    watch.done.set()
    watch.join()
    if code != 0:
        output = "\n".join(text for _, text in lines[-30:])
        raise RuntimeError(f"{' '.join(map(str, command))} ended with exit code {code}:\n{output}")
    return Outcome(seconds, children_cpu_seconds() - cpu_before, watch.rss, watch.pss, watch.processes,
                   watch.cpu_seconds, lines)


def children_cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def session_pids(session):
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue    # it has just ended
            if int(fields[SESSION_FIELD]) == session and fields[0] != "Z":
                found.append(int(name))
    return found


def rss_bytes(pid):
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * PAGE
    except OSError:
        return 0


def pss_bytes(pid):
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            for line in file:
                if line.startswith("Pss:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0
