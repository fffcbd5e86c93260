"""A folder of JPEG images into DJL and its PyTorch engine, on the processor: our loader against DJL's ImageFolder with prefetching.

Every command makes batches of 32 images as normalized floats, 64 x 64, shuffled, from the same files. DJL's dataset loads each batch in one of
as many threads as there are processors, two batches ahead for each; it reads images by the JDK (its extension for OpenCV could not be had from Maven
Central). Ours resizes with antialiasing, DJL's without. Training is that of the example TrainWithDjl: three convolutions. Speed and CPU time are those of the last epoch.
"""
import pathlib
import statistics
import subprocess

from harness.java import find as find_java
from harness.rounds import Contestant
from scenarios.images import read_events, read_once

OURS = ""       # no ratios over all commands: loading and training are different work; summary() has them
HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent
JSPDL = ROOT / "jspdl"


def add_options(parser):
    parser.add_argument("--images", type=int, default=1000, help="of the sample dataset (default 1000)")
    parser.add_argument("--epochs", type=int, default=2)


def setting(options):
    return {"images": options.images, "epochs": options.epochs, "batch": 32, "size": "64 x 64 float32 NCHW"}


def contestants(options):
    data = HERE / "target" / f"sample-{options.images}"
    subprocess.run([JSPDL, "sample", data, "--images", str(options.images), "--no-progress"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([ROOT / "mvnw", "-q", "-o", "-DskipTests", "-Dfast", "-pl", "benchmarks", "-am", "package"], check=True, cwd=ROOT)
    read_once(data)

    def command(loader, work):
        return [find_java(), "--enable-native-access=ALL-UNNAMED", "-Dai.djl.offline=true", "-DOPT_OUT_TRACKING=true",
                "-cp", f"{HERE}/target/benchmarks.jar:{HERE}/target/lib/*",
                "org.jspdl.benchmarks.DjlEpochs", loader, work, str(data), str(options.epochs)]

    found = []
    for work in ("load", "train"):
        found += [Contestant(f"jspdl, {work}", command("jspdl", work), read_events, work="images"),
                  Contestant(f"DJL ImageFolder, {work}", command("djl", work), read_events, work="images")]
    found.append(Contestant("jspdl, train, kept batches", command("kept", "train"), read_events, work="kept"))
    return found


def summary(results):
    """Our loader against DJL's for each work, and against batches that cost nothing; with --only, nothing."""
    if len({result["name"] for result in results}) < 5:
        return ""

    def median(name, measure):
        return statistics.median(result[measure] for result in results if result["name"] == name)

    lines = []
    for work in ("load", "train"):
        ours, theirs = f"jspdl, {work}", f"DJL ImageFolder, {work}"
        ratios = [median(ours, measure) / median(theirs, measure)
                  for measure in ("items_per_second", "cpu_seconds_per_1000_items", "peak_pss_bytes")]
        lines.append("{}: {:.2f} x images/s, {:.2f} x CPU, {:.2f} x PSS of DJL's ImageFolder".format(work, *ratios))
    loaded, kept = (32e3 / median(name, "items_per_second") for name in ("jspdl, train", "jspdl, train, kept batches"))
    lines.append(f"a step of 32 takes {loaded:.1f} ms with the loader and {kept:.1f} ms with kept batches: {loaded / kept:.2f} x")
    return "\n".join(lines)
