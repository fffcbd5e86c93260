"""One H.264 file to RGB bytes in memory, with one decoder thread: jspdl against the `ffmpeg` program and PyAV.

`--what sample` takes 16 of 300 frames (a key frame each 30), against `ffmpeg` decoding only the groups that are needed.
`--threads 2` decodes two videos at once. `--what reuse` decodes short clips (one group of pictures) with a decoder that is kept, and with
one opened for each; `--what hour` prints resident memory while an hour of small pictures is streamed. Needs `ffmpeg` with libx264 and, for PyAV, Debian's python3-av.
"""
import json
import subprocess

from harness import build
from harness.java import find as find_java
from harness.rounds import Contestant
from scenarios.images import HERE, read_events

OURS = "jspdl"
SIZES = {"360": ("640x360", 300), "1080": ("1920x1080", 90)}


def add_options(parser):
    parser.add_argument("--size", choices=SIZES, default="360", help="rows of the video (default 360)")
    parser.add_argument("--what", choices=("video", "sample", "reuse", "hour"), default="video")
    parser.add_argument("--threads", type=int, default=1, help="videos at once (default 1)")
    parser.add_argument("--passes", type=int, default=0, help="of the file in a measured epoch (default: about a second)")


def setting(options):
    return {"size": SIZES[options.size][0], "frames": SIZES[options.size][1], "what": options.what, "threads": options.threads}


def media_java():
    build.benchmarks()
    return [find_java(), "-Xmx128m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp",
            f"{HERE}/target/benchmarks.jar:{HERE}/target/lib/*", "org.jspdl.benchmarks.MediaPasses"]


def made(name, inputs, outputs):
    file = HERE / "target" / "media" / name
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_name("partial-" + name)
        subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *inputs.split(), *outputs.split(), partial], check=True)
        partial.rename(file)
    return str(file)


def read_memory(outcome):
    """As read_events, with the resident memory of the last pass over the file."""
    figures = read_events(outcome)
    last = [event for event in (json.loads(line) for _, line in outcome.lines) if event["event"] == "memory"]
    pieces = max(event["pieces"] for event in last)
    start = max(index for index, event in enumerate(last) if event["pieces"] == min(e["pieces"] for e in last))
    figures["resident_bytes"] = [event["resident_bytes"] for event in last[start:]]
    figures["pieces"] = pieces
    return figures


def summary(results):
    spans = [(min(r["resident_bytes"]), max(r["resident_bytes"])) for r in results if "resident_bytes" in r]
    return "\n".join(f"resident {low / 2**20:.1f} to {high / 2**20:.1f} MiB, +{100 * (high / low - 1):.1f} %" for low, high in spans)


def contestants(options):
    size, frames = SIZES[options.size]
    if options.what == "reuse":
        clip = made("clip.mp4", "-f lavfi -i testsrc2=size=320x240:rate=30 -frames:v 8", "-c:v libx264 -g 30 -pix_fmt yuv420p")
        tail = [clip, str(options.passes or 300), str(options.threads)]
        return [Contestant("jspdl", [*media_java(), "video", *tail], read_events),
                Contestant("fresh decoder", [*media_java(), "video-fresh", *tail], read_events)]
    if options.what == "hour":
        hour = made("hour.mp4", "-f lavfi -i testsrc2=size=160x120:rate=10 -t 3600",
                    "-c:v libx264 -preset ultrafast -g 50 -pix_fmt yuv420p")
        return [Contestant("jspdl", [*media_java(), "video-stream", hour, "1", "1"], read_memory)]
    file = made(f"h264-{options.size}.mp4", f"-f lavfi -i testsrc2=size={size}:rate=30 -frames:v {frames}",
                "-vf noise=alls=6:allf=t -c:v libx264 -preset medium -g 30 -pix_fmt yuv420p")
    passes = str(options.passes or {"360": 6, "1080": 3}[options.size])
    tail = [options.what, file, passes, str(options.threads)]
    peer = ["/usr/bin/python3", str(HERE / "peers" / "media.py")]
    found = [Contestant("jspdl", [*media_java(), *tail], read_events),
             Contestant("ffmpeg", [*peer, "ffmpeg", *tail], read_events)]
    if options.what == "video":
        found.append(Contestant("PyAV", [*peer, "pyav", *tail], read_events))
    return found
