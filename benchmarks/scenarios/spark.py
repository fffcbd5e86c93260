"""Photographs decoded, made smaller and encoded again on Apache Spark: a plan of jspdl, Spark's own image source, and ImageIO.

All in `local[n]`, one process: shorter side 256, center 224 x 224, JPEG of quality 90. jspdl writes tar files, the others Parquet files. `pack` is
the same plan on one machine without Spark: what Spark costs. Each way first works three times on some of the photographs, which
warm it up (speed and CPU time are those of the last pass; the session's start is the column of the first batch).
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from harness import table
from harness.java import find as find_java
from harness.rounds import Contestant
from scenarios.images import HERE, JSPDL, ROOT, read_events, read_once

OURS = "jspdl, plan on Spark"
WAYS = {OURS: "plan", "jspdl, pack on one machine": "pack", "Spark's image source + resize": "image", "binaryFile + ImageIO": "binary"}
SHARE = 10      # the photographs that warm up: one of so many
AIM = 5         # times Spark's own
OVERHEAD_AIM = 0.10


def add_options(parser):
    parser.add_argument("--data", type=pathlib.Path, help="a folder with one folder a class (default: the sample dataset)")
    parser.add_argument("--images", type=int, help="repeat the photographs by hard links until there are so many")
    parser.add_argument("--warm", type=int, help="photographs of each of the three passes that warm up (default: 1 of 10 of the photographs)")
    parser.add_argument("--processors", type=int, default=os.cpu_count(), help="of local[n] (default: all)")
    parser.add_argument("--classpath", help="of Spark with spark-mllib, jspdl and org.jspdl.spark.ResizePasses (default: SPARK_HOME and this clone, which is built)")


def setting(options):
    return {"data": options.data.name, "images": options.images or "all", "processors": options.processors}


def contestants(options):
    if options.data is None:
        made = subprocess.run([JSPDL, "sample", "--images", "2000", "--no-progress"], check=True, capture_output=True, text=True)
        options.data = pathlib.Path(made.stdout.strip().splitlines()[-1])
    classpath = options.classpath or built()
    read_once(options.data)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="jspdl-spark-", dir=options.data.resolve().parent))     # for links
    many = linked(options.data, folder / "many", options.images)
    few = linked(options.data, folder / "few", options.warm or max(1, files_of(options.data, count=True) // SHARE))
    java = [find_java(), "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-cp", classpath,
            "org.jspdl.spark.ResizePasses"]
    out = folder / "out"
    emptied = ["bash", "-c", 'rm -rf "$0"; mkdir "$0"; exec "$@"', str(out)]
    return [Contestant(name, [*emptied, *java, way, str(options.processors), str(out), *[str(few)] * 3, str(many)], read_events)
            for name, way in WAYS.items()]


def built():
    """The class path of this clone and of the Spark in SPARK_HOME."""
    home = os.environ.get("SPARK_HOME")
    if not home:
        sys.exit("set SPARK_HOME to Apache Spark 4.2, or give --classpath")
    subprocess.run([JSPDL, "sample", "--no-progress"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([ROOT / "mvnw", "-q", "-o", "-DskipTests", "-pl", "spark", "-am", "package"], check=True, cwd=ROOT)
    ours = [ROOT / "spark" / "target" / "test-classes", ROOT / "spark" / "target" / "classes", *sorted((ROOT / "cli" / "target" / "app").glob("*.jar"))]
    return ":".join(map(str, [*ours, f"{home}/jars/*"]))


def files_of(folder, count=False):
    files = sorted(file for file in folder.rglob("*") if file.suffix.lower() in (".jpg", ".jpeg"))
    return len(files) if count else files


def linked(source, target, images):
    """A folder with so many of the photographs of another, again and again where it has fewer, as hard links."""
    files = files_of(source)
    # Of all classes alike, whatever their order.
    chosen = files if not images else [files[number * len(files) // images] if images <= len(files) else files[number % len(files)]
                                       for number in range(images)]
    for number, file in enumerate(chosen):
        link = target / file.parent.relative_to(source) / f"{number:07d}{file.suffix}"
        link.parent.mkdir(parents=True, exist_ok=True)
        os.link(file, link)
    return target


def summary(results):
    """Ours against Spark's own, and what Spark costs."""
    medians = table.medians(results)
    lines = [""]
    ours = medians.get(OURS)
    for name in WAYS:
        if ours and name in medians and WAYS[name] in ("image", "binary"):
            lines.append(f"{name}: {ours['items_per_second'] / medians[name]['items_per_second']:.1f} times as many images a second,"
                         f" {medians[name]['cpu_seconds_per_1000_items'] / ours['cpu_seconds_per_1000_items']:.1f} times less CPU time (aim: {AIM} times)")
    pack = medians.get("jspdl, pack on one machine")
    if ours and pack:
        more = ours["cpu_seconds_per_1000_items"] / pack["cpu_seconds_per_1000_items"] - 1
        lines.append(f"Spark costs {100 * more:.1f} % of the CPU time of pack (aim: at most {100 * OVERHEAD_AIM:.0f} %)")
    return "\n".join(lines)
