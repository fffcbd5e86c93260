"""Sound of 10 seconds to floats in memory on one core: jspdl against libsndfile (Python's soundfile), PyAV and the `ffmpeg` program.

Items are seconds of sound. `--sound tone` is a pure tone, which codecs find easy, `noisy` (the default) has noise in it, both stereo
at 44.1 kHz; `speech` is one channel at 16 kHz. `--fresh` opens a decoder for each file, against one that is kept; `--load` is `Audio.load`. Needs `ffmpeg` with libmp3lame, and Debian's python3-soundfile and python3-av.
"""
from harness.rounds import Contestant
from scenarios.images import HERE, read_events
from scenarios.video import made, media_java

OURS = "jspdl"
FORMATS = {"flac": "-c:a flac", "mp3": "-c:a libmp3lame -b:a 128k", "m4a": "-c:a aac -b:a 128k",
           "wav": "-c:a pcm_s16le"}

SOUNDS = {"noisy": "aevalsrc=0.3*sin(2*PI*440*t)+0.05*random(0)|0.3*sin(2*PI*550*t)+0.05*random(1):s=44100",
          "speech": "aevalsrc=0.3*sin(2*PI*220*t)+0.05*random(0):s=16000",
          "tone": "aevalsrc=0.3*sin(2*PI*440*t)|0.3*sin(2*PI*550*t):s=44100"}


def add_options(parser):
    parser.add_argument("--format", choices=FORMATS, default="flac")
    parser.add_argument("--sound", choices=SOUNDS, default="noisy")
    parser.add_argument("--fresh", action="store_true", help="compare with a decoder that is opened for each file")
    parser.add_argument("--load", action="store_true", help="by Audio.load, which opens a decoder and takes memory for each file")
    parser.add_argument("--seconds", type=int, default=10, help="of each sound (default 10)")
    parser.add_argument("--passes", type=int, default=300, help="of the file in a measured epoch (default 300)")


def setting(options):
    return {"format": options.format, "sound": options.sound, "seconds": options.seconds}


def contestants(options):
    file = made(f"{options.sound}-{options.seconds}.{options.format}",
                f"-f lavfi -i {SOUNDS[options.sound]} -t {options.seconds}", FORMATS[options.format])
    tail = [file, str(options.passes), "1"]
    ours = Contestant("jspdl", [*media_java(), "audio-load" if options.load else "audio", *tail], read_events)
    if options.fresh:
        return [ours, Contestant("fresh decoder", [*media_java(), "audio-fresh", *tail], read_events)]
    peer = ["/usr/bin/python3", str(HERE / "peers" / "media.py")]
    peers = ["pyav", "ffmpeg"] + ([] if options.format == "m4a" else ["soundfile"])
    # The ffmpeg program's own count of seconds differs by the encoder's delay, so the work is not compared by number.
    return [ours, *(Contestant(name, [*peer, name, "audio", *tail], read_events, work="ffmpeg" if name == "ffmpeg" else "")
                    for name in peers)]
