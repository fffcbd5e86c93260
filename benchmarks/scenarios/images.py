"""A folder of JPEG images, decoded, resized and batched: jspdl against PyTorch's DataLoader.

Every command makes the same output from the same files in the same order: shorter side to 256 with antialiasing, center crop
of 224, batches of 64, three epochs. With --augment: random resized crop to 224, flip, and normalization if the elements are floats.
Speed and CPU time are those of the last epoch: in the second the JVM still compiles.
"""
import json
import pathlib
import subprocess

from harness.rounds import Contestant

OURS = "jspdl"
HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent
JSPDL = ROOT / "jspdl"
DECODERS = ("torchvision", "pil", "opencv")


def add_options(parser):
    parser.add_argument("--data", type=pathlib.Path, help="a folder with one folder a class (default: the sample dataset)")
    parser.add_argument("--layout", choices=("nhwc", "nchw"), default="nhwc")
    parser.add_argument("--dtype", choices=("uint8", "float32"), default="uint8")
    parser.add_argument("--augment", action="store_true", help="random resized crop and flip; normalized if floats")
    parser.add_argument("--jpeg", choices=("best", "turbojpeg", "ffmpeg"), default="best", help="what jspdl decodes JPEG with")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=3, help="of which the last is measured (default 3)")
    parser.add_argument("--concurrency", default="1,2,4", help="of jspdl (default 1,2,4)")
    parser.add_argument("--workers", default="0,1,2,4", help="of the DataLoader (default 0,1,2,4)")


def setting(options):
    return {"data": options.data.name, "layout": options.layout, "dtype": options.dtype, "batch": options.batch_size, "epochs": options.epochs,
            "transform": "random resized crop, flip" if options.augment else "shorter side 256, center crop 224"}


def prepare(options):
    """Installs the peers, builds jspdl, and makes the sample dataset if no other is asked for."""
    subprocess.run([HERE / "peers" / "install"], check=True)
    subprocess.run([JSPDL, "sample", "--no-progress"], check=True, stdout=subprocess.DEVNULL)      # builds it if need be
    if options.data is None:
        made = subprocess.run([JSPDL, "sample", "--images", "2000", "--no-progress"], check=True, capture_output=True, text=True)
        options.data = pathlib.Path(made.stdout.strip().splitlines()[-1])


def contestants(options):
    prepare(options)
    read_once(options.data)
    same = ["--batch-size", str(options.batch_size), "--epochs", str(options.epochs), "--layout", options.layout, "--dtype", options.dtype]
    ours = ["--jpeg", options.jpeg]
    if options.augment:
        ours += ["--crop", "random-resized-crop", "--flip", "0.5", *(["--normalize"] if options.dtype == "float32" else [])]
    found = [Contestant(f"jspdl, concurrency {n}",
                        [str(JSPDL), "run", str(options.data), *same, *ours, "--workers", n, "--no-progress", "--json", "-"],
                        read_report) for n in options.concurrency.split(",")]
    if options.augment:
        same.append("--augment")
    peer = str(HERE / "peers" / "dataloader.py")
    for decoder in DECODERS:
        found += [Contestant(f"PyTorch + {decoder}, {n} workers",
                             ["/usr/bin/python3", peer, str(options.data), *same, "--decoder", decoder, "--workers", n],
                             read_events) for n in options.workers.split(",")]
    return found


def read_once(folder):
    """Brings the files into the page cache, so that the first command does not pay for the disk."""
    for file in folder.rglob("*"):
        if file.is_file():
            file.read_bytes()


def read_report(outcome):
    text = "\n".join(line for _, line in outcome.lines)
    report, _ = json.JSONDecoder().raw_decode(text[text.index("{"):])
    return {
        "items": report["items"],
        "items_per_second": report["items_per_second"],
        "cpu_seconds_per_1000_items": report["cpu_seconds_per_1000_items"],
        "first_batch_seconds": report["first_batch_seconds"],
        "own_peak_rss_bytes": report["peak_rss_bytes"],
        "versions": {key: report[key] for key in ("jpeg_backend",) if key in report},
    }


def events_of(outcome):
    """What a program of `peers` said, each with its time since the start of the process."""
    return [(at, json.loads(line)) for at, line in outcome.lines if line.startswith("{")]


def read_events(outcome):
    events = events_of(outcome)
    last = [event for _, event in events if event["event"] == "epoch"][-1]
    return {
        "items": last["items"],
        "items_per_second": last["items"] / last["seconds"],
        "cpu_seconds_per_1000_items": 1000 * last["cpu_seconds"] / last["items"],
        "first_batch_seconds": next(at for at, event in events if event["event"] == "first_batch"),
        "versions": next({key: value for key, value in event.items() if key not in ("event", "at")}
                         for _, event in events if event["event"] == "versions"),
    }
