"""Sound of 10 seconds to floats in memory on one core: jspdl against libsndfile (Python's soundfile) and PyAV.

Items are seconds of sound. Needs `ffmpeg` with libmp3lame, and Debian's python3-soundfile and python3-av.
"""
from harness.rounds import Contestant
from scenarios.images import HERE, read_events
from scenarios.video import made, media_java

OURS = "jspdl"
FORMATS = {"flac": "-c:a flac", "mp3": "-c:a libmp3lame -b:a 128k", "m4a": "-c:a aac -b:a 128k"}


def add_options(parser):
    parser.add_argument("--format", choices=FORMATS, default="flac")
    parser.add_argument("--seconds", type=int, default=10, help="of each sound (default 10)")
    parser.add_argument("--passes", type=int, default=300, help="of the file in a measured epoch (default 300)")


def setting(options):
    return {"format": options.format, "seconds": options.seconds}


def contestants(options):
    sound = "aevalsrc=0.3*sin(2*PI*440*t)+0.05*random(0)|0.3*sin(2*PI*550*t)+0.05*random(1):s=44100"
    file = made(f"{options.seconds}.{options.format}", f"-f lavfi -i {sound} -t {options.seconds}",
                FORMATS[options.format])
    tail = ["audio", file, str(options.passes), "1"]
    peer = ["/usr/bin/python3", str(HERE / "peers" / "media.py")]
    found = [Contestant("jspdl", [*media_java(), *tail], read_events),
             Contestant("PyAV", [*peer, "pyav", *tail], read_events)]
    if options.format != "m4a":
        found.append(Contestant("soundfile", [*peer, "soundfile", *tail], read_events))
    return found
