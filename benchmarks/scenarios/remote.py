"""The first sample of remote shards, reads of which some stall, and the throughput of large objects.

Each contestant serves itself, in its process. First: shards of 100 samples, each answer after 50 ms, the number of all samples known (rank 3 of 8): with an index
of the dataset, with an index beside each shard, and the same in a second run. Stalls: 1 % of the answers come after 10 s, with and without second requests.
Large objects: 8 of 64 MiB, read side by side by one pass after the other, from a server in a process of its own on this machine; items are
megabytes, so that CPU seconds per 1,000 are those of a gigabyte. Peers: the JDK's HTTP client, and curl and the AWS CLI where there are any.
"""
import atexit
import json
import shutil
import statistics
import subprocess
import sys

from harness.java import find as find_java
from harness.rounds import Contestant
from scenarios.images import read_events
from scenarios.storage import HERE, ROOT

OURS = "jspdl"
OBJECTS = 8
MEBIBYTES = 64


def add_options(parser):
    parser.add_argument("--shards", type=int, default=1_000, help="until the first sample of which (default 1000)")
    parser.add_argument("--stalled-reads", type=int, default=20_000, help="reads of which 1 %% stall (default 20000)")
    parser.add_argument("--large-passes", type=int, default=4, help="passes over the large objects that are measured (default 4)")


def setting(options):
    return {"large objects": f"{OBJECTS} of {MEBIBYTES} MiB", "passes": options.large_passes, "shards until the first sample": options.shards, "reads of which 1 % stall for 10 s": options.stalled_reads}


def contestants(options):
    subprocess.run([ROOT / "mvnw", "-q", "-o", "-DskipTests", "-Dfast", "-pl", "benchmarks", "-am", "package"], check=True, cwd=ROOT)

    def remote(name, way, count, work):
        return Contestant(name, [find_java(), "-Xmx512m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED", "-cp",
                                 f"{HERE}/target/benchmarks.jar:{HERE}/target/lib/*", "org.jspdl.benchmarks.RemoteShards",
                                 way, str(count), "50"], read_times, work=work)

    found = [
        remote("jspdl, first sample, index of the dataset", "first-indexed", options.shards, "samples"),
        remote("jspdl, first sample, an index a shard", "first-idx", options.shards, "samples"),
        remote("jspdl, first sample, second run", "first-again", options.shards, "samples"),
        remote("jspdl, 1 % of reads stall", "stalls", options.stalled_reads, "reads"),
        remote("jspdl, 1 % of reads stall, sent once", "stalls-plain", options.stalled_reads, "reads"),
    ]
    words = [word for word in options.only.split(",") if word]
    wanted = not words or any(word in name for word in words for name in LARGE)
    return found + (large(options.large_passes) if wanted else [])


LARGE = ("jspdl, large objects, a request each", "jspdl, large objects, requests of 16 MiB", "JDK client, large objects",
         "curl, large objects", "AWS CLI, large objects")


def large(passes):
    """Contestants that read from one server, which lives until this program ends."""
    java = [find_java(), "-XX:+UseSerialGC", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED", "-cp",
            f"{HERE}/target/benchmarks.jar:{HERE}/target/lib/*"]
    program = "org.jspdl.benchmarks.LargeObjects"
    server = subprocess.Popen([*java[:1], "-Xmx1g", *java[1:], program, "serve", str(OBJECTS), str(MEBIBYTES)],
                              stdout=subprocess.PIPE, text=True)
    atexit.register(server.kill)
    same = [f"http://127.0.0.1:{int(server.stdout.readline())}", str(OBJECTS), str(MEBIBYTES), str(passes)]
    # The JDK's client collects a body in pieces and then joins them: it takes twice the bytes on the heap.
    ways = {LARGE[0]: [*java[:1], "-Xmx256m", *java[1:], program, "whole"], LARGE[1]: [*java[:1], "-Xmx256m", *java[1:], program, "split"],
            LARGE[2]: [*java[:1], "-Xmx2g", *java[1:], program, "jdk"]}
    for name, peer in ((LARGE[3], "curl"), (LARGE[4], "aws")):
        if shutil.which(peer):
            ways[name] = [sys.executable, str(HERE / "peers" / "large.py"), peer]
    return [Contestant(name, [*command, *same], read_times, work="megabytes") for name, command in ways.items()]


def read_times(outcome):
    lines = [json.loads(line) for _, line in outcome.lines if line.startswith("{")]
    last = [line for line in lines if line["event"] == "epoch"][-1]
    notes = {"s": last["seconds"]}
    for times in (line for line in lines if line["event"] == "times"):
        notes.update({key: value for key, value in times.items() if key != "event"})
    return {**read_events(outcome), "notes": notes}


def summary(results):
    lines = [""]
    for name in dict.fromkeys(result["name"] for result in results):
        notes = [result["notes"] for result in results if result["name"] == name]
        lines.append(f"{name:44} " + "   ".join(f"{key} {statistics.median(note[key] for note in notes):.2f}" for key in notes[0]))
    return "\n".join(lines)
