"""Runs a plan with its images decoded by workers in processes of their own, and prints what both sides took.

    service.py PLAN --epochs N [--workers N] [--at-once N] [--apart] [--tls] -- COMMAND...

COMMAND is `jspdl`. PLAN holds the word SERVICE where `service: [...]` goes (nothing for the workers). The first run of the
trainer warms up the workers for half as many epochs; the second is measured: its report, and the processor time of the workers
meanwhile, whose epoch in the middle is then as many from their start as the trainer's last from its own. With `--apart` the workers have
the first processor and the trainer the second. Prints one JSON object on a line.
"""
import argparse
import json
import os
import pathlib
import re
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

TICKS = os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plan", type=pathlib.Path)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--at-once", type=int, help="of each worker (default: two for each processor)")
    parser.add_argument("--apart", action="store_true", help="workers on the first processor, the trainer on the second")
    parser.add_argument("--tls", action="store_true", help="with a certificate made for the occasion")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    text = options.plan.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        extra = ["--at-once", str(options.at_once)] if options.at_once else []
        certificate = None
        if options.tls:
            certificate, key = make_certificate(folder)
            extra += ["--tls-certificate", certificate, "--tls-key", key]
        serving, training = (["taskset", "-c", str(number)] if options.apart else [] for number in (0, 1))
        plan = write(folder, "served.yaml", text, "", 1)
        workers = [Worker([*serving, *options.command, "serve", plan, "--port", "0", *extra], certificate) for _ in range(options.workers)]
        command = [*training, *options.command]
        try:
            service = ", service: [" + ", ".join(f"'{worker.address()}'" for worker in workers) + "]"
            run(command, write(folder, "warm.yaml", text, service, max(2, options.epochs // 2)), certificate)
            before = sum(worker.cpu_seconds() for worker in workers)
            compiled_before = sum(worker.compiler_seconds() for worker in workers)
            pieces_before = sum(worker.metrics()["jspdl_serve_pieces_total"] for worker in workers)
            started = time.monotonic()
            report = run(command, write(folder, "measured.yaml", text, service, options.epochs), certificate)
            seconds = time.monotonic() - started
            cpu = sum(worker.cpu_seconds() for worker in workers) - before
            compiled = sum(worker.compiler_seconds() for worker in workers) - compiled_before
            metrics = [worker.metrics() for worker in workers]
        finally:
            for worker in workers:
                worker.end()
    images = report["items"] * options.epochs
    last = report["items"] / report["items_per_second"]
    print(json.dumps({
        "event": "served",
        "items": report["items"],
        "items_per_second": report["items_per_second"],
        "worker_cpu_seconds_per_1000_items": 1000 * cpu / images,
        "worker_compiler_seconds_per_1000_items": 1000 * compiled / images,
        "trainer_cpu_seconds_per_1000_items": report["cpu_seconds_per_1000_items"],
        "trainer_cpu_seconds_per_second": report["cpu_seconds_per_1000_items"] * report["items"] / 1000 / last,
        "first_batch_seconds": report["first_batch_seconds"],
        "pieces_per_second": (sum(each["jspdl_serve_pieces_total"] for each in metrics) - pieces_before) / seconds,
        "most_piece_bytes": max(worker.most_piece_bytes for worker in workers),
        "failed_requests": sum(each["jspdl_serve_busy_total"] + each["jspdl_serve_unsent_total"] for each in metrics),
    }), flush=True)


def write(folder, name, text, service, epochs):
    file = pathlib.Path(folder) / name
    file.write_text(text.replace("SERVICE", service).replace("EPOCHS", str(epochs)), encoding="utf-8")
    return str(file)


def make_certificate(folder):
    """The files of a certificate for this machine, which is its own authority, and of its key."""
    certificate, key = (str(pathlib.Path(folder) / name) for name in ("worker.pem", "worker.key"))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=worker",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


def run(command, plan, certificate):
    """The report of a trainer."""
    environment = {**os.environ, **({"JSPDL_SERVICE_CA": certificate} if certificate else {})}
    ended = subprocess.run([*command, "run", plan, "--no-progress", "--json", "-"], capture_output=True, text=True, env=environment)
    if ended.returncode != 0:
        sys.exit(f"the trainer ended with {ended.returncode}:\n{ended.stderr[-3000:]}")
    report, _ = json.JSONDecoder().raw_decode(ended.stdout[ended.stdout.index("{"):])
    return report


class Worker:
    """A process of `jspdl serve`, whose memory of pieces is looked at ten times a second."""

    def __init__(self, command, certificate):
        self.trusted = ssl.create_default_context(cafile=certificate) if certificate else None
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.most_piece_bytes = 0
        self.lines = []
        self.found = threading.Event()
        self.at = None
        self.done = threading.Event()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stderr:
            self.lines.append(line)
            told = re.search(r"at port (\d+)", line)
            if told:
                self.at = int(told.group(1))
                self.found.set()
                threading.Thread(target=self.watch, daemon=True).start()
        self.found.set()

    def watch(self):
        while not self.done.wait(0.1):
            try:
                self.most_piece_bytes = max(self.most_piece_bytes, int(self.metrics()["jspdl_serve_piece_bytes"]))
            except OSError:
                pass

    def address(self):
        self.found.wait(120)
        if self.at is None:
            sys.exit("a worker did not start:\n" + "".join(self.lines))
        return f"{'https' if self.trusted else 'http'}://127.0.0.1:{self.at}"

    def metrics(self):
        with urllib.request.urlopen(f"{self.address()}/metrics", timeout=10, context=self.trusted) as answer:
            lines = answer.read().decode().splitlines()
        return {line.split()[0]: float(line.split()[1]) for line in lines if line and not line.startswith("#")}

    def cpu_seconds(self):
        """Of the process and all that it has started, of which the launcher's shell is one."""
        total = 0
        for pid in [self.process.pid, *children(self.process.pid)]:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
        return total / TICKS

    def compiler_seconds(self):
        """Of that, what the virtual machine's compilers have taken, as far as their threads still live."""
        total = 0
        for pid in [self.process.pid, *children(self.process.pid)]:
            for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
                name, _, fields = (task / "stat").read_text(encoding="utf-8").rpartition(")")
                if "(C1 Compiler" in name or "(C2 Compiler" in name:
                    total += int(fields.split()[11]) + int(fields.split()[12])
        return total / TICKS

    def end(self):
        self.done.set()
        for pid in [*children(self.process.pid), self.process.pid]:
            try:
                os.kill(pid, 15)
            except ProcessLookupError:
                pass
        self.process.wait()


def children(pid):
    found = []
    for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split():
        found += [int(child), *children(child)]
    return found


if __name__ == "__main__":
    main()
