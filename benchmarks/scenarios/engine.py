"""Items through three stages that do nothing: our engine against other ways of handing over, Python's asyncio among them.

Passes of the Java ways are measured for three seconds after four seconds of warming up, so that compiled code is compared. A function that does nothing leaves only the hand-over.
The JMH benchmark HandOver also has a plain loop and a parallel stream, which hand nothing over.
"""
import pathlib
import subprocess
import sys

from harness.java import find as find_java
from harness.rounds import Contestant
from scenarios.images import read_events

OURS = "jspdl"
HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent
WAYS = {"jspdl, cpu": "JSPDL_CPU", "jspdl, cpu in input order": "JSPDL_CPU_ORDERED", "jspdl, io": "JSPDL_IO",
        "threads and ArrayBlockingQueue": "QUEUES", "mapConcurrent": "MAP_CONCURRENT", "Reactor": "REACTOR"}


def add_options(parser):
    parser.add_argument("--concurrency", default="1,4", help="of each stage (default 1,4)")
    parser.add_argument("--items", type=int, default=50_000, help="a pass (default 50000)")


def setting(options):
    return {"items": options.items, "stages": 3, "function": "no-op"}


def contestants(options):
    subprocess.run([ROOT / "mvnw", "-q", "-o", "-DskipTests", "-Dfast", "-pl", "benchmarks", "-am", "package"], check=True, cwd=ROOT)
    java = find_java()
    jars = f"{HERE}/target/benchmarks.jar:{HERE}/target/lib/*"
    found = []      # measured for a time, so each makes as many items as it can: no common work
    for n in options.concurrency.split(","):
        found += [Contestant(f"{name}, concurrency {n}",
                             [java, "-Xmx256m", "-XX:+UseSerialGC", "-cp", jars, "org.jspdl.benchmarks.NoOpStages", way, n,
                              str(options.items)], read_events, work=None) for name, way in WAYS.items()]
        found.append(Contestant(f"Python asyncio and threads, concurrency {n}",
                                [sys.executable, str(HERE / "peers" / "asyncio_stages.py"), "--items", str(options.items),
                                 "--concurrency", n], read_events, work=None))
    return found
