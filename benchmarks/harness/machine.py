"""What the figures were measured on."""
import os
import platform
import subprocess


def describe(repository):
    return {
        "processor": first("/proc/cpuinfo", "model name"),
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": int(first("/proc/meminfo", "MemTotal").split()[0]) * 1024,
        "kernel": platform.release(),
        "system": first("/etc/os-release", "PRETTY_NAME", "=").strip('"'),
        "commit": commit(repository),
    }


def first(path, key, separator=":"):
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                name, _, value = line.partition(separator)
                if name.strip() == key:
                    return value.strip()
    except OSError:
        pass
    return "0 unknown"


def commit(repository):
    """The commit that was measured; `+` behind it if files differ from it."""
    try:
        def git(*words):
            return subprocess.run(["git", "-C", repository, *words], capture_output=True, text=True, check=True).stdout

        changed = git("status", "--porcelain", "--untracked-files=no").strip()
        return git("rev-parse", "--short=12", "HEAD").strip() + ("+" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
