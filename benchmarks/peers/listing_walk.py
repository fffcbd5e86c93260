"""Lists a folder of classes in Python, as an image folder is listed there: a tuple of path and class for each file."""
import json
import os
import sys
import time

ENDINGS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


def listed(root):
    classes = sorted(entry.name for entry in os.scandir(root) if entry.is_dir())
    files = []
    for number, name in enumerate(classes):
        for folder, _, names in sorted(os.walk(os.path.join(root, name), followlinks=True)):
            files += [(os.path.join(folder, file), number) for file in sorted(names) if file.lower().endswith(ENDINGS)]
    return files


def main():
    print(json.dumps({"event": "versions", "python": sys.version.split()[0]}))
    began, cpu = time.perf_counter(), time.process_time()
    files = listed(sys.argv[1])
    print(json.dumps({"event": "first_batch"}), flush=True)
    print(json.dumps({"event": "epoch", "items": len(files), "seconds": time.perf_counter() - began, "cpu_seconds": time.process_time() - cpu}))


if __name__ == "__main__":
    main()
