"""Reads one file from memory over and over with NumPy or Python's standard library: the peer of ArrayPasses.java."""
import io
import json
import pathlib
import sys
import tarfile
import time

import numpy as np

PASSES = 3
FILES = {"npz-photo": "photo.npz", "npz-tokens": "tokens.npz"}


def npz(data):
    return np.load(io.BytesIO(data))["a"].ndim and 1


def npy(data):
    return np.load(io.BytesIO(data)).ndim and 1


def wav(data):
    """A WAV file whose header is known, so that only the conversion is left: less than a reader has to do."""
    return (np.frombuffer(data, "<i2", offset=len(data) - 320_000).astype(np.float32) / 32768).ndim


def tar(data):
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        return sum(1 for entry in archive if entry.name and archive.extractfile(entry).read())


def main():
    kind, folder, items = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    data = (folder / FILES.get(kind, f"a.{kind}")).read_bytes()
    one = {"npy": npy, "wav": wav, "tar": tar}.get(kind, npz)
    print(json.dumps({"event": "versions", "python": sys.version.split()[0], "numpy": np.__version__}), flush=True)
    print(json.dumps({"event": "first_batch"}), flush=True)
    for _ in range(PASSES):
        start, cpu, done = time.perf_counter(), time.process_time(), 0
        while done < items:
            done += one(data)
        print(json.dumps({"event": "epoch", "items": done, "seconds": time.perf_counter() - start,
                          "cpu_seconds": time.process_time() - cpu}), flush=True)


if __name__ == "__main__":
    main()
