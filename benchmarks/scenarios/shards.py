"""Shards: WebDataset tar against Python's tarfile, one column of Parquet against pyarrow, images from tar against files.

One thread each, but for the images. Tar: the sample photographs (100 KB each), and 40,000 samples of 300 to 1,000 bytes; figures are of the third
pass in one process. Parquet: one 64-bit column of 400,000 rows with 400 random bytes beside it, eight row groups, zstd; pyarrow with every value
as a Python object, which is what an item for each sample means there, and with whole batches as NumPy arrays. Images: the main job over the
sample folder and over shards that `jspdl pack` made of it, second epoch.
"""
import pathlib
import shutil
import subprocess
import tempfile

from harness.java import find as find_java
from harness.rounds import Contestant
from scenarios.images import read_events, read_report

OURS = "jspdl"
HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent
JSPDL = ROOT / "jspdl"


def add_options(parser):
    parser.add_argument("--python", type=pathlib.Path, help="a Python with pyarrow (default: one that is made, with pip)")


def setting(options):
    return {"small samples": 40_000, "rows": 400_000}


def contestants(options):
    subprocess.run([JSPDL, "sample", "--no-progress"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([ROOT / "mvnw", "-q", "-o", "-DskipTests", "-Dfast", "-pl", "benchmarks", "-am", "package"], check=True, cwd=ROOT)
    made = subprocess.run([JSPDL, "sample", "--images", "2000", "--no-progress"], check=True, capture_output=True, text=True)
    photos = pathlib.Path(made.stdout.strip().splitlines()[-1])
    python = str(options.python or with_pyarrow())
    peer = str(HERE / "peers" / "shards.py")
    folder = pathlib.Path(tempfile.gettempdir()) / "jspdl-shards"
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        subprocess.run([python, peer, "write", folder], check=True)
        subprocess.run([JSPDL, "pack", photos, "--to", folder, "--prefix", "photos", "--size", "64M", "--no-progress"], check=True,
                       stdout=subprocess.DEVNULL)
        (folder / "complete").touch()
    shards = sorted(folder.glob("photos-*.tar"))
    pattern = f"{folder}/photos-{{000000..{len(shards) - 1:06d}}}.tar"
    java = [find_java(), "-Xmx256m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp",
            f"{HERE}/target/benchmarks.jar:{HERE}/target/lib/*", "org.jspdl.benchmarks.ShardPasses"]
    small, table = str(folder / "small-000000.tar"), str(folder / "table.parquet")

    def images(name, location):
        return Contestant(name, [str(JSPDL), "run", str(location), "--epochs", "2", "--no-progress", "--json", "-"], read_report,
                          work="images")

    return [
        Contestant("jspdl, photographs in tar", [*java, pattern], read_events, work="photographs"),
        Contestant("tarfile, photographs", [python, peer, "tar", f"{folder}/photos-*.tar"], read_events, work="photographs"),
        Contestant("jspdl, small samples in tar", [*java, small], read_events, work="small"),
        Contestant("tarfile, small samples", [python, peer, "tar", small], read_events, work="small"),
        Contestant("jspdl, a Parquet column", [*java, table, "label"], read_events, work="rows"),
        Contestant("pyarrow, row by row", [python, peer, "rows", table, "label"], read_events, work="rows"),
        Contestant("pyarrow, as arrays", [python, peer, "arrays", table, "label"], read_events, work="rows"),
        images("jspdl run, images from files", photos),
        images("jspdl run, images from tar", pattern),
    ]


def with_pyarrow():
    """A Python of its own under target/, made once."""
    home = HERE / "target" / "pyarrow"
    python = home / "bin" / "python"
    if subprocess.run([python, "-c", "import numpy, pyarrow"], check=False, capture_output=True).returncode if python.exists() else 1:
        subprocess.run(["python3", "-m", "venv", home], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "pyarrow", "numpy"], check=True)
    return python
