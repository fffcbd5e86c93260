"""The same images into a Python loop that reads every batch once: jspdl for Python against PyTorch's DataLoader.

Every command makes the same output from the same files in the same order: shorter side to 256 with antialiasing, center crop
of 224, batches of 64, three epochs unless --epochs says otherwise (jspdl still compiles code in the third); the loop sums each batch. Speed and CPU time, of all processes, are those of the last epoch. As
many workers on both sides: 2, which is fastest on two cores, and 4 for the memory that each takes; and as many as jspdl finds best (auto, its default), with its startup cache and without one. Python that has imported
PyTorch and does nothing is measured as well: it is the part of all figures that is no loader's.
"""
import os
import pathlib
import subprocess

from harness import java, table
from harness.rounds import Contestant
from scenarios.images import DECODERS, HERE, JSPDL, ROOT, read_events, read_once

OURS = "jspdl"
ALONE = "Python with PyTorch alone"
PYTHON = "/usr/bin/python3"


def add_options(parser):
    parser.add_argument("--data", type=pathlib.Path, help="a folder with one folder a class (default: the sample dataset)")
    parser.add_argument("--layout", choices=("nhwc", "nchw"), default="nchw")
    parser.add_argument("--dtype", choices=("uint8", "float32"), default="float32")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--concurrency", default="auto,2,4", help="workers of jspdl (default auto,2,4)")
    parser.add_argument("--workers", default="2,4", help="of the DataLoader (default 2,4)")
    parser.add_argument("--decoders", default="opencv,torchvision",
                        help=f"of the DataLoader, of {', '.join(DECODERS)} (default opencv,torchvision: the fastest and PyTorch's own)")


def setting(options):
    return {"data": options.data.name, "layout": options.layout, "dtype": options.dtype, "batch": options.batch_size, "epochs": options.epochs,
            "reading": "sum"}


def contestants(options):
    subprocess.run([HERE / "peers" / "install"], check=True)
    if options.data is None:
        made = subprocess.run([JSPDL, "sample", "--images", "2000", "--no-progress"], check=True, capture_output=True, text=True)
        options.data = pathlib.Path(made.stdout.strip().splitlines()[-1])
    read_once(options.data)
    environment = package()
    subprocess.run([PYTHON, "-m", "jspdl", "prepare"], check=True, env={**os.environ, **environment}, capture_output=True)
    same = [str(options.data), "--batch-size", str(options.batch_size), "--epochs", str(options.epochs), "--layout", options.layout, "--dtype", options.dtype,
            "--read"]
    found = [Contestant("jspdl, auto" if n == "auto" else f"jspdl, {n} workers", [PYTHON, str(HERE / "peers" / "jspdl_loader.py"), *same, "--workers", n], read_events,
                        environment) for n in options.concurrency.split(",")]
    # Where nobody has called `python -m jspdl prepare`.
    found.append(Contestant("jspdl, auto, no startup cache", [PYTHON, str(HERE / "peers" / "jspdl_loader.py"), *same, "--workers", "auto"], read_events,
                            {**environment, "XDG_CACHE_HOME": str(ROOT / "benchmarks" / "target" / "no-cache")}))
    for decoder in options.decoders.split(","):
        found += [Contestant(f"PyTorch + {decoder}, {n} workers",
                             [PYTHON, str(HERE / "peers" / "dataloader.py"), *same, "--decoder", decoder, "--workers", n],
                             read_events) for n in options.workers.split(",")]
    found.append(Contestant(ALONE, [PYTHON, str(HERE / "peers" / "bare.py"), "torch"], read_alone, work=ALONE))
    return found


def read_alone(outcome):
    imported = next(at for at, line in outcome.lines if '"first_batch"' in line)
    return {"items": 0, "items_per_second": 0.0, "cpu_seconds_per_1000_items": 0.0, "first_batch_seconds": imported}


def summary(results):
    """What each loader takes beyond what Python with PyTorch takes alone."""
    medians = table.medians(results)
    if ALONE not in medians:
        return ""
    alone = medians[ALONE]
    rows = {name: row["peak_memory_bytes"] - alone["peak_memory_bytes"] for name, row in medians.items() if name != ALONE}
    return "\n".join(["", f"Memory beyond {ALONE} ({alone['peak_memory_bytes'] / table.MIB:,.0f} MiB, there after"
                      f" {alone['first_batch_seconds']:.2f} s):",
                      *(f"{name:33} {more / table.MIB:5,.0f} MiB" for name, more in rows.items())])


def package(*more):
    """What the commands need to find the package and its jars, which are built first; `more` goes before them."""
    home = str(pathlib.Path(java.find()).parent.parent)
    environment = {"JAVA_HOME": home, "PYTHONPATH": str(ROOT / "python/src/main/python")}
    subprocess.run([ROOT / "mvnw", "-q", "-B", "-Dfast", "-DskipTests", "-pl", "python,benchmarks", "-am", "package"], cwd=ROOT,
                   check=True, env={**os.environ, "JAVA_HOME": home}, stdout=subprocess.DEVNULL)
    environment.update(as_installed(ROOT, *more))
    return environment


def as_installed(tree, *more):
    """Jars that were built, named as a package that is installed names its own: ours first, and no other is opened to look for providers."""
    jars = sorted((tree / "python/target/jars").glob("*.jar"), key=lambda jar: (not jar.name.startswith("jspdl-"), jar))
    own = [jar for jar in jars if jar.name.startswith("jspdl-")]
    return {"JSPDL_CLASSPATH": ":".join(map(str, [*more, *jars])), "JSPDL_OPTS": f"-Djspdl.providers={':'.join(map(str, [*more, *own]))}"}
