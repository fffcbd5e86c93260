"""Large objects read by a program of the machine, several passes of all of them side by side: large.py curl|aws URL OBJECTS MEBIBYTES PASSES.

curl throws away what it reads; the AWS CLI writes it to files in memory (/dev/shm), which it needs for reading side by side. A pass is one command,
whose start counts: that of the AWS CLI, which is Python, takes about half a second.
"""
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time


def main():
    program, url, objects, mebibytes, passes = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split("\n")[0]
    print(json.dumps({"event": "versions", program: re.match(r"\S+( [\d.]+)?", version).group()}), flush=True)
    folder = tempfile.mkdtemp(prefix="jspdl-large-", dir="/dev/shm")
    try:
        command = {"curl": curl, "aws": aws}[program](url, objects, folder)
        size = objects * mebibytes << 20
        run(command, program, folder, size)
        print('{"event": "first_batch"}', flush=True)
        started, cpu = time.monotonic(), used()
        for _ in range(passes):
            run(command, program, folder, size)
        print(json.dumps({"event": "epoch", "items": passes * size // 1_000_000, "seconds": time.monotonic() - started,
                          "cpu_seconds": used() - cpu}), flush=True)
    finally:
        shutil.rmtree(folder)


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def curl(url, objects, _):
    addresses = [word for number in range(objects) for word in ("-o", "/dev/null", f"{url}/bucket/large/{number}")]
    return ["curl", "-sS", "--fail", "--parallel", "--parallel-immediate", "-w", "%{size_download}\n", *addresses]


def aws(url, _, folder):
    return ["aws", "--no-sign-request", "--endpoint-url", url, "--region", "us-east-1", "s3", "cp", "--recursive", "--only-show-errors",
            "s3://bucket/large/", folder]


def run(command, program, folder, size):
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    if program == "curl":
        read = sum(map(int, done.stdout.split()))
    else:
        read = sum(file.stat().st_size for file in os.scandir(folder))
    if read != size:
        sys.exit(f"{program} read {read} of {size} bytes")


main()
