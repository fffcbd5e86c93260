"""Reads behind latency and faults: jspdl from files and from a web server that is 50 ms away, a storm of faults, many reads in flight.

The server is a process of its own on the same machine, so both share its processors. Images: the sample dataset, two epochs, at default
settings. Objects: 16 KiB each, 5 % of the answers 503, 1 % reset, 1 % truncated; every one must arrive exactly once. Ranges: 4 KiB each,
10,000 in flight, 200 ms away. CPU per read is against the JDK's HTTP client, 256 in flight.
"""
import atexit
import json
import pathlib
import statistics
import subprocess
import tempfile

from harness.java import find as find_java
from harness.rounds import Contestant
from scenarios.images import read_events, read_report

OURS = "jspdl"
HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent
JSPDL = ROOT / "jspdl"
MIB = 1024 * 1024


def add_options(parser):
    parser.add_argument("--objects", type=int, default=20_000, help="of the storm, and of the CPU per read (default 20000)")
    parser.add_argument("--in-flight", type=int, default=10_000, help="ranges (default 10000)")


def setting(options):
    return {"latency of images": "50 ms", "latency of ranges": "200 ms", "objects": options.objects, "ranges": options.in_flight,
            "faults of the storm": "5 % 503, 1 % reset, 1 % truncated"}


def contestants(options):
    subprocess.run([JSPDL, "sample", "--no-progress"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([ROOT / "mvnw", "-q", "-o", "-DskipTests", "-Dfast", "-pl", "benchmarks", "-am", "package"], check=True, cwd=ROOT)
    made = subprocess.run([JSPDL, "sample", "--images", "2000", "--no-progress"], check=True, capture_output=True, text=True)
    data = pathlib.Path(made.stdout.strip().splitlines()[-1])
    near, far, storm, farther = (serve(data, *how) for how in (("0", "calm"), ("50", "calm"), ("5", "storm"), ("200", "calm")))

    def images(name, location):
        return Contestant(name, [str(JSPDL), "run", str(location), "--epochs", "2", "--no-progress", "--json", "-"], read_waiting,
                          work="images")

    def reads(name, way, url, count, in_flight, epochs, work):
        java = [find_java(), "-Xmx64m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED"]
        if way == "ranges":
            java[1] = "-Xmx96m"     # the stacks of 10,000 waiting virtual threads are on the heap
        if way == "jdk":
            java[1] = "-Xmx256m"    # it does not finish with less
        return Contestant(name, [*java, "-cp", f"{HERE}/target/benchmarks.jar:{HERE}/target/lib/*", "org.jspdl.benchmarks.StorageReads",
                                 way, url, str(count), str(in_flight), str(epochs)], read_requests, work=work)

    return [
        images("jspdl, images from files", data),
        images("jspdl, images 50 ms away", file_list(data, far)),
        reads("jspdl, objects in a storm", "objects", storm, options.objects, 128, 1, "objects"),
        reads("jspdl, objects, 256 in flight", "objects", near, options.objects, 256, 3, "objects"),
        reads("JDK client, objects, 256 in flight", "jdk", near, options.objects, 256, 3, "objects"),
        reads("jspdl, ranges 200 ms away", "ranges", farther, options.in_flight, options.in_flight, 4, "ranges"),
    ]


def serve(folder, latency, weather):
    """The address of a server that lives until this program ends."""
    server = subprocess.Popen([find_java(), "-Xmx1g", "-XX:+UseSerialGC", "-cp", f"{HERE}/target/benchmarks.jar:{HERE}/target/lib/*",
                               "org.jspdl.benchmarks.StorageServer", latency, weather, str(folder)], stdout=subprocess.PIPE, text=True)
    atexit.register(server.kill)
    return f"http://localhost:{int(server.stdout.readline())}"


def file_list(folder, url):
    """A list of the files of a folder of classes, as the server has them."""
    listed = tempfile.NamedTemporaryFile("w", suffix=".txt", prefix="jspdl-storage-", delete=False, encoding="utf-8")
    atexit.register(pathlib.Path(listed.name).unlink)
    classes = sorted(path.name for path in folder.iterdir() if path.is_dir())
    with listed:
        for number, name in enumerate(classes):
            for file in sorted((folder / name).glob("*.jpg")):
                listed.write(f"{url}/files/{name}/{file.name} {number}\n")
    return listed.name


def read_waiting(outcome):
    text = "\n".join(line for _, line in outcome.lines)
    report, _ = json.JSONDecoder().raw_decode(text[text.index("{"):])
    decode = next(stage for stage in report["stages"] if stage["name"] == "decode")
    return {**read_report(outcome), "notes": {"decode starved, %": 100 * decode["starved_share"],
                                              "peak RSS, MiB": report["peak_rss_bytes"] / MIB}}


def read_requests(outcome):
    last = [json.loads(line) for _, line in outcome.lines if line.startswith('{"event": "epoch"')][-1]
    notes = {"CPU of the client per read, us": 1e6 * last["cpu_seconds"] / last["items"], "peak RSS, MiB": last["peak_rss_bytes"] / MIB}
    if last["requests"]:
        notes["requests beyond one a read, %"] = 100 * (last["requests"] / last["items"] - 1)
    return {**read_events(outcome), "notes": notes}


def summary(results):
    lines = [""]
    for name in dict.fromkeys(result["name"] for result in results):
        notes = [result["notes"] for result in results if result["name"] == name]
        lines.append(f"{name:36} " + "   ".join(f"{key} {statistics.median(note[key] for note in notes):.1f}" for key in notes[0]))
    return "\n".join(lines)
