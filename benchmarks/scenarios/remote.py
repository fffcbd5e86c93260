"""The first sample of remote shards, and reads of which some stall.

Each contestant serves itself, in its process. First: shards of 100 samples, each answer after 50 ms, the number of all samples known (rank 3 of 8): with an index
of the dataset, with an index beside each shard, and the same in a second run. Stalls: 1 % of the answers come after 10 s, with and without second requests.
"""
import json
import statistics
import subprocess

from harness.java import find as find_java
from harness.rounds import Contestant
from scenarios.images import read_events
from scenarios.storage import HERE, ROOT

OURS = "jspdl"


def add_options(parser):
    parser.add_argument("--shards", type=int, default=1_000, help="until the first sample of which (default 1000)")
    parser.add_argument("--stalled-reads", type=int, default=20_000, help="reads of which 1 %% stall (default 20000)")


def setting(options):
    return {"shards until the first sample": options.shards, "reads of which 1 % stall for 10 s": options.stalled_reads}


def contestants(options):
    subprocess.run([ROOT / "mvnw", "-q", "-o", "-DskipTests", "-Dfast", "-pl", "benchmarks", "-am", "package"], check=True, cwd=ROOT)

    def remote(name, way, count, work):
        return Contestant(name, [find_java(), "-Xmx512m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED", "-cp",
                                 f"{HERE}/target/benchmarks.jar:{HERE}/target/lib/*", "org.jspdl.benchmarks.RemoteShards",
                                 way, str(count), "50"], read_times, work=work)

    return [
        remote("jspdl, first sample, index of the dataset", "first-indexed", options.shards, "samples"),
        remote("jspdl, first sample, an index a shard", "first-idx", options.shards, "samples"),
        remote("jspdl, first sample, second run", "first-again", options.shards, "samples"),
        remote("jspdl, 1 % of reads stall", "stalls", options.stalled_reads, "reads"),
        remote("jspdl, 1 % of reads stall, sent once", "stalls-plain", options.stalled_reads, "reads"),
    ]


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
