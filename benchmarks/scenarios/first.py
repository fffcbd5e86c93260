"""The first epoch of a fresh process beside a warm one: what the start and the compiler cost.

`jspdl run` over 2,000 photographs, with its own options of the virtual machine and with `--without` some of them, in alternation, each with a startup cache as
the launcher makes it. CPU seconds of the first epoch are those of the process since its start; the warm ones those of the last epoch. Items a second and CPU time of the
table are the last epoch's.
"""
import json
import pathlib
import statistics
import subprocess

from harness.rounds import Contestant
from scenarios.images import JSPDL, read_once, read_report

OURS = "jspdl"
# What the virtual machine does by default about methods that are called while loops of them run.
DEFAULTS = "-XX:Tier0BackedgeNotifyFreqLog=10 -XX:Tier2BackedgeNotifyFreqLog=14 -XX:Tier3BackedgeNotifyFreqLog=13"


def add_options(parser):
    parser.add_argument("--data", type=pathlib.Path, help="a folder with one folder a class (default: 2,000 sample photographs)")
    parser.add_argument("--epochs", type=int, default=6, help="of which the first and the last are told (default 6)")
    parser.add_argument("--without", default=DEFAULTS, help="options of the virtual machine that undo ours, for the second command")


def setting(options):
    return {"data": options.data.name, "epochs": options.epochs, "without": options.without}


def contestants(options):
    subprocess.run([JSPDL, "sample", "--no-progress"], check=True, stdout=subprocess.DEVNULL)      # builds it if need be
    if options.data is None:
        made = subprocess.run([JSPDL, "sample", "--images", "2000", "--no-progress"], check=True, capture_output=True, text=True)
        options.data = pathlib.Path(made.stdout.strip().splitlines()[-1])
    read_once(options.data)
    command = [str(JSPDL), "run", str(options.data), "--epochs", str(options.epochs), "--no-progress", "--json", "-"]
    return [Contestant(OURS, command, read), Contestant("jspdl, with the defaults of the virtual machine", command, read, {"JSPDL_OPTS": options.without})]


def read(outcome):
    text = "\n".join(line for _, line in outcome.lines)
    report, _ = json.JSONDecoder().raw_decode(text[text.index("{"):])
    first, last = report["epochs"][0], report["epochs"][-1]
    begun = report["total_cpu_seconds"] - sum(epoch["cpu_seconds"] for epoch in report["epochs"])     # before the first and behind the last epoch
    return {**read_report(outcome), "first_epoch_cpu_seconds": first["cpu_seconds"] + begun, "warm_epoch_cpu_seconds": last["cpu_seconds"],
            "time_to_items": report["time_to_items"]}


def summary(results):
    lines = ["", "| command | first epoch, CPU-s | warm epoch, CPU-s | excess | 100 images | 1,000 | 10,000 |", "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for name in dict.fromkeys(result["name"] for result in results):
        own = [result for result in results if result["name"] == name]
        first, warm = (statistics.median(result[f"{which}_epoch_cpu_seconds"] for result in own) for which in ("first", "warm"))
        times = [statistics.median(result["time_to_items"][i]["seconds"] for result in own) for i in range(min(len(result["time_to_items"]) for result in own))]
        lines.append(f"| {name} | {first:.2f} | {warm:.2f} | {first - warm:.2f} | " + " | ".join(f"{seconds:.1f} s" for seconds in times) + " |")
    return "\n".join(lines)
