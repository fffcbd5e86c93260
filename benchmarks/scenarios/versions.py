"""This checkout against another one of the project, in one run: images, video, the engine, reads from storage, Python.

`--before DIR` names a checkout of the commit to compare with, which this builds. Both get the same files and the same work; where an
option was renamed between them, each gets the name that it knows. Speed and CPU time are those of the last epoch or pass. `--only engine`
takes the engine alone: functions that do nothing at concurrency 1 and 4, links with default buffers, and runs that are started and stopped,
where items a second are runs a second; `--only video` takes video alone, for which `ffmpeg` with libx264 makes a file.
"""
import atexit
import os
import pathlib
import subprocess

from harness import java
from harness.rounds import Contestant
from scenarios.images import read_events, read_once, read_report
from scenarios.python import as_installed
from scenarios.storage import read_requests
from scenarios.video import SIZES, made

OURS = "now"
HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent
PYTHON = "/usr/bin/python3"
EPOCHS = "8"        # the compiler is done with the loops after about six of 2,000 photographs


def add_options(parser):
    parser.add_argument("--before", type=pathlib.Path, required=True, help="a checkout of the commit to compare with")
    parser.add_argument("--data", type=pathlib.Path, help="a folder with one folder a class (default: the sample dataset)")
    parser.add_argument("--workers", default="2", help="of the loaders (default 2)")
    parser.add_argument("--objects", type=int, default=20_000, help="reads of 16 KiB each (default 20000)")


def setting(options):
    before = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=options.before, check=True, capture_output=True, text=True)
    return {"before": before.stdout.strip(), "data": options.data.name if options.data else "none", "workers": options.workers}


def contestants(options):
    trees = {"now": ROOT, "before": options.before.resolve()}
    for tree in trees.values():
        build(tree)
    words = options.only.split(",")
    needs_data = not options.only or any(not word.startswith(("engine", "video")) for word in words)
    film = made_film() if not options.only or any(word.startswith("video") for word in words) else ""
    if options.data is None and needs_data:
        made = subprocess.run([ROOT / "jspdl", "sample", "--images", "2000", "--no-progress"], check=True, capture_output=True, text=True)
        options.data = pathlib.Path(made.stdout.strip().splitlines()[-1])
    if needs_data:
        read_once(options.data)
        url = serve(options.data)
    kinds = (("images, uint8 NHWC", lambda tree: images(tree, options, "uint8", "nhwc")),
             ("images, float32 NCHW", lambda tree: images(tree, options, "float32", "nchw")),
             ("video, all frames", lambda tree: video(tree, "video", film)),
             ("video, 16 frames", lambda tree: video(tree, "sample", film)),
             ("engine, concurrency 1", lambda tree: engine(tree, 1)),
             ("engine, concurrency 4", lambda tree: engine(tree, 4)),
             ("engine, a source alone", lambda tree: links(tree, "SOURCE")),
             ("engine, cpu(2)", lambda tree: links(tree, "CPU")),
             ("engine, three stages", lambda tree: links(tree, "CHAIN")),
             ("engine, runs started and stopped", lambda tree: links(tree, "START")),
             ("storage, 256 in flight", lambda tree: storage(tree, url, options)),
             ("Python, float32 NCHW", lambda tree: python(tree, options)))
    return [Contestant(f"{when}: {kind}", *make(tree), work=None if kind.startswith("engine") else kind)
            for kind, make in kinds if (film if kind.startswith("video") else needs_data or kind.startswith("engine"))
            for when, tree in trees.items()]


def build(tree):
    """Builds everything that is measured of a checkout."""
    subprocess.run([tree / "jspdl", "sample", "--no-progress"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([tree / "mvnw", "-q", "-B", "-Dfast", "-DskipTests", "-pl", "python,benchmarks", "-am", "package"], cwd=tree, check=True,
                   stdout=subprocess.DEVNULL)


def images(tree, options, dtype, layout):
    known = subprocess.run([tree / "jspdl", "run", "--help"], check=True, capture_output=True, text=True).stdout
    batch = "--batch-size" if "--batch-size" in known else "--batch"
    workers = "--workers" if "--workers" in known else "--concurrency"
    return [str(tree / "jspdl"), "run", str(options.data), "--epochs", EPOCHS, batch, "64", workers, options.workers, "--dtype", dtype,
            "--layout", layout, "--no-progress", "--json", "-"], read_report


def made_film():
    size, frames = SIZES["360"]
    return made("h264-360.mp4", f"-f lavfi -i testsrc2=size={size}:rate=30 -frames:v {frames}",
                "-vf noise=alls=6:allf=t -c:v libx264 -preset medium -g 30 -pix_fmt yuv420p")


def video(tree, what, film):
    return [java.find(), "-Xmx128m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp", jars(tree),
            "org.jspdl.benchmarks.MediaPasses", what, film, "6", "1"], read_events


def engine(tree, concurrency):
    return [java.find(), "-Xmx256m", "-XX:+UseSerialGC", "-cp", jars(tree), "org.jspdl.benchmarks.NoOpStages", "JSPDL_CPU",
            str(concurrency), "50000"], read_events


def links(tree, way):
    """Buffers as they are by default. A checkout from before this program gets it from here, behind its own classes."""
    return [java.find(), "-Xmx256m", "-XX:+UseSerialGC", "-cp", f"{jars(tree)}:{HERE}/target/benchmarks.jar", "org.jspdl.benchmarks.QuickLinks", way,
            "500000"], read_events


def storage(tree, url, options):
    return [java.find(), "-Xmx64m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED", "-cp", jars(tree),
            "org.jspdl.benchmarks.StorageReads", "objects", url, str(options.objects), "256", "3"], read_requests


def python(tree, options):
    program = tree / "benchmarks/peers/jspdl_loader.py"
    batch = "--batch-size" if "--batch-size" in program.read_text(encoding="utf-8") else "--batch"
    environment = {"JAVA_HOME": str(pathlib.Path(java.find()).parent.parent), "PYTHONPATH": str(tree / "python/src/main/python"), **as_installed(tree)}
    subprocess.run([PYTHON, "-m", "jspdl", "prepare"], check=True, env={**os.environ, **environment}, capture_output=True)
    return [PYTHON, str(program), str(options.data), batch, "64", "--epochs", EPOCHS, "--workers", options.workers, "--read"], read_events, environment


def jars(tree):
    return f"{tree}/benchmarks/target/benchmarks.jar:{tree}/benchmarks/target/lib/*"


def serve(folder):
    """The address of a server of this checkout that lives until the program ends."""
    server = subprocess.Popen([java.find(), "-Xmx1g", "-XX:+UseSerialGC", "-cp", jars(ROOT), "org.jspdl.benchmarks.StorageServer", "0", "calm",
                               str(folder)], stdout=subprocess.PIPE, text=True)
    atexit.register(server.kill)
    return f"http://localhost:{int(server.stdout.readline())}"
