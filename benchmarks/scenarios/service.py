"""The data service: what it costs that images are decoded by a worker and sent, and what a trainer's loader takes then.

One plan (random resized crop to 224, flip, batches of 64) runs locally and with its images decoded by a worker on the same machine, as bytes,
as bytes over TLS, and as floats that the trainer makes of bytes. CPU time of a local run is that of its last epoch; of a served one that of the
trainer's last epoch and of the worker over a whole run of the trainer, after half as many epochs that warmed it up. *One processor* is a
local run on one processor, beside a worker on that processor and a trainer on another: how much of a worker's speed arrives.
*Plain sockets* are two processes that send and receive the same bytes and do nothing else.
"""
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

from harness import table
from harness.rounds import Contestant
from scenarios.images import HERE, JSPDL, events_of, read_events, read_once, read_report

OURS = "local, uint8"
PLAN = """\
source:
  images: {{path: '{data}', shuffle: true, seed: 7SERVICE}}
steps:
  - allocate-batch: {{batch-size: 64, size: 224, crop: random-resized-crop, flip: 0.5, {type}}}
  - read-image: {{}}
  - {{decode-image: {{}}, cpu: {workers}, order: input}}
  - batch: 64
  - stack-images: {{}}
seed: 7
epochs: EPOCHS
"""
TYPES = {"uint8": "dtype: uint8", "float32": "dtype: float32"}
APART = "uint8, one processor"
SOCKETS = "plain sockets, the same bytes"
IMAGE_BYTES = 224 * 224 * 3
HOP_AIM = 0.06      # of the CPU time of decoding, for bytes
LOADER_AIM = 0.2    # CPU-s a second
SPEED_AIM = 0.95    # of a worker's


def add_options(parser):
    parser.add_argument("--data", type=pathlib.Path, help="a folder with one folder a class (default: the sample dataset)")
    parser.add_argument("--epochs", type=int, default=6, help="of the run that is measured (default 6)")
    parser.add_argument("--workers", type=int, default=2, help="threads that decode (default 2)")
    parser.add_argument("--jspdl", default=str(JSPDL), help="the command (default: that of the clone, which is built first)")


def setting(options):
    return {"data": options.data.name, "epochs": options.epochs, "workers": options.workers, "batch": 64}


def contestants(options):
    command = shlex.split(options.jspdl)
    subprocess.run([*command, "sample", "--no-progress"], check=True, stdout=subprocess.DEVNULL)
    if options.data is None:
        made = subprocess.run([*command, "sample", "--images", "2000", "--no-progress"], check=True, capture_output=True, text=True)
        options.data = pathlib.Path(made.stdout.strip().splitlines()[-1])
    read_once(options.data)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="jspdl-service-"))
    images = sum(1 for file in options.data.rglob("*") if file.is_file())
    peers = HERE / "peers"

    def pair(name, kind, workers, prefix=(), extra=()):
        plan = PLAN.format(data=options.data.resolve(), type=TYPES[kind], workers=workers)
        file = folder / f"{kind}-{workers}.txt"
        file.write_text(plan, encoding="utf-8")
        local = file.with_suffix(".yaml")
        local.write_text(plan.replace("SERVICE", "").replace("EPOCHS", str(options.epochs)), encoding="utf-8")
        served = [sys.executable, str(peers / "service.py"), str(file), "--epochs", str(options.epochs), *extra, "--", *command]
        return [Contestant(f"local, {name}", [*prefix, *command, "run", str(local), "--no-progress", "--json", "-"], read_report),
                Contestant(f"served, {name}", served, read_served)]

    found = [contestant for name in TYPES for contestant in pair(name, name, options.workers)]
    found += pair(APART, "uint8", 1, ["taskset", "-c", "0"], ["--apart"])
    found += pair("uint8 over TLS", "uint8", options.workers, extra=["--tls"])[1:]
    found.append(Contestant(SOCKETS, [sys.executable, str(peers / "socket_copy.py"), "--images", str(images), "--image-bytes", str(IMAGE_BYTES),
                                      "--epochs", str(options.epochs)], read_events, work=None))
    return found


def read_served(outcome):
    said = next(event for _, event in events_of(outcome) if event["event"] == "served")
    return {**{key: value for key, value in said.items() if key != "event"},
            "cpu_seconds_per_1000_items": said["worker_cpu_seconds_per_1000_items"] + said["trainer_cpu_seconds_per_1000_items"]}


def summary(results):
    """What the hop costs, and what the trainer's loader takes."""
    lines = [""]
    for name in (*TYPES, "uint8 over TLS"):
        local, served = of(results, f"local, {name.split(' ')[0]}"), of(results, f"served, {name}")
        if not local or not served:
            continue
        decoding = median(local, "cpu_seconds_per_1000_items")
        hop = median(served, "cpu_seconds_per_1000_items") / decoding - 1
        lines.append(
            f"{name:14} the hop costs {100 * hop:5.1f} % of the CPU time of decoding, {decoding:.2f} (aim for uint8: at most {100 * HOP_AIM:.0f} %);"
            f" worker {median(served, 'worker_cpu_seconds_per_1000_items'):.2f}"
            f" (of which compilers {median(served, 'worker_compiler_seconds_per_1000_items'):.2f}),"
            f" trainer {median(served, 'trainer_cpu_seconds_per_1000_items'):.2f} CPU-s per 1,000 images;"
            f" {median(served, 'pieces_per_second'):.0f} requests a second, at most"
            f" {median(served, 'most_piece_bytes') / table.MIB:.0f} MiB of pieces in the worker")
    local, served = of(results, f"local, {APART}"), of(results, f"served, {APART}")
    if local and served:
        lines.append(f"{APART}: the trainer is fed at {median(served, 'items_per_second') / median(local, 'items_per_second'):.0%}"
                     f" of the local speed (aim {SPEED_AIM:.0%}), its loader takes"
                     f" {median(served, 'trainer_cpu_seconds_per_second'):.2f} CPU-s a second (aim: {LOADER_AIM})")
    local, plain = of(results, "local, uint8"), of(results, SOCKETS)
    if local and plain:
        share = median(plain, "cpu_seconds_per_1000_items") / median(local, "cpu_seconds_per_1000_items")
        lines.append(f"sending and receiving the same bytes by plain sockets takes {share:.1%} of the CPU time of decoding")
    return "\n".join(lines)


def of(results, name):
    return [result for result in results if result["name"] == name]


def median(results, key):
    return statistics.median(result[key] for result in results)
