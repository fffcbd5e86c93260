"""One core, from memory: NPZ, NPY, WAV and TAR by our parsers, and by NumPy and Python's tarfile.

Speed and CPU time are those of the last of three passes in one process. Each item is one array, recording or entry. Where we only make
a view and NumPy copies (npy), the difference is the point. The JMH benchmark ArrayParsing has the figures of more formats.
"""
import pathlib
import subprocess
import tempfile

from harness import build
from harness.java import find as find_java
from harness.rounds import Contestant
from scenarios.images import read_events

OURS = "jspdl"
HERE = pathlib.Path(__file__).resolve().parent.parent
ITEMS = {"npz-photo": 1_000, "npz-tokens": 2_000, "npy": 100_000, "wav": 20_000, "tar": 200_000}


def add_options(parser):
    parser.add_argument("--format", default="npz-photo", choices=ITEMS, help="what is read (default npz-photo)")
    parser.add_argument("--items", type=int, help="a pass (default: about a second of the peer)")


def setting(options):
    return {"format": options.format, "threads": 1}


def contestants(options):
    build.benchmarks()
    java = [find_java(), "-Xmx256m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp",
            f"{HERE}/target/benchmarks.jar:{HERE}/target/lib/*", "org.jspdl.benchmarks.ArrayPasses"]
    folder = tempfile.mkdtemp(prefix="jspdl-arrays-")
    subprocess.run([*java, "write", folder], check=True)
    items = str(options.items or ITEMS[options.format])
    return [Contestant("jspdl", [*java, options.format, folder, items], read_events),
            Contestant("NumPy" if options.format != "tar" else "tarfile",
                       ["/usr/bin/python3", str(HERE / "peers" / "arrays.py"), options.format, folder, items], read_events)]
