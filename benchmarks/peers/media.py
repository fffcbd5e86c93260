"""Decodes one file again and again with a peer: media.py PEER WHAT FILE PASSES THREADS."""
import json
import os
import resource
import subprocess
import sys
import threading
import time


def ffmpeg_video(file):
    command = ["ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-i", file, "-an", "-f", "rawvideo", "-pix_fmt", "rgb24",
               "-progress", "-", "-y", "/dev/null"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return int([line for line in printed.splitlines() if line.startswith("frame=")][-1].split("=")[1])


def ffmpeg_sample(file):
    """Only the groups that the frames are in: one for each, up to it; all in one process, so that starting it counts once."""
    frames, rate, group = 300, 30, 30
    command = ["ffmpeg", "-v", "error", "-nostdin"]
    wanted = [(2 * i + 1) * frames // 32 for i in range(16)]
    groups = sorted({frame // group for frame in wanted})
    for number in groups:
        last = max(frame for frame in wanted if frame // group == number)
        command += ["-threads", "1", "-ss", str(number * group / rate), "-t", str((last - number * group + 1) / rate), "-i", file]
    for number in range(len(groups)):
        command += ["-map", f"{number}:v", "-f", "rawvideo", "-pix_fmt", "rgb24", "-y", "/dev/null"]
    subprocess.run(command, check=True)
    return 16


def pyav_video(file):
    import av
    count = 0
    with av.open(file) as container:
        stream = container.streams.video[0]
        stream.codec_context.thread_count = 1
        for frame in container.decode(stream):
            frame.to_ndarray(format="rgb24")
            count += 1
    return count


def ffmpeg_audio(file, passes):
    """All passes in one process, so that starting it counts once."""
    command = ["ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-stream_loop", str(passes - 1), "-i", file, "-f", "f32le",
               "-progress", "-", "-y", "/dev/null"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return int([line for line in printed.splitlines() if line.startswith("out_time_us=")][-1].split("=")[1]) / 1e6


def soundfile_audio(file):
    import soundfile
    samples, rate = soundfile.read(file, dtype="float32")
    return len(samples) / rate


def pyav_audio(file):
    import av
    import numpy
    with av.open(file) as container:
        stream = container.streams.audio[0]
        resampler = av.AudioResampler(format="fltp")
        parts = [out.to_ndarray() for frame in container.decode(stream) for out in resampler.resample(frame)]
        return numpy.concatenate(parts, axis=1).shape[1] / stream.rate


def cpu_seconds():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def main():
    peer, what, file, passes, threads = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
    work = globals()[f"{peer}_{what}"]
    print(json.dumps({"event": "versions", "python": sys.version.split()[0]}), flush=True)
    print(json.dumps({"event": "first_batch"}), flush=True)
    for _ in range(2):
        start, cpu = time.perf_counter(), cpu_seconds()
        items = [0] * threads

        def run(mine):
            if work is ffmpeg_audio:
                items[mine] += work(file, passes)
                return
            for _ in range(passes):
                items[mine] += work(file)

        workers = [threading.Thread(target=run, args=(mine,)) for mine in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        print(json.dumps({"event": "epoch", "items": round(sum(items)), "seconds": time.perf_counter() - start,
                          "cpu_seconds": cpu_seconds() - cpu}), flush=True)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
