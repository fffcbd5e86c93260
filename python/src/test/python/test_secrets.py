"""Signatures and passwords of addresses are in nothing that the package shows: exceptions, reports, figures, states, traces, the error stream."""
import contextlib
import http.server
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import threading
import traceback
import unittest

import jspdl
from support import ARRAYS, HERE, IMAGES, PATIENCE

SECRET = "PLAN" + "TED"     # part of every signature and password, and of nothing else


class Server(http.server.ThreadingHTTPServer):
    """Objects by their paths, whole or in ranges."""
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.objects = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def signed(self, path):
        return f"http://127.0.0.1:{self.server_port}{path}?X-Amz-Credential={SECRET}ID&X-Amz-Signature={SECRET}"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        content = self.server.objects.get(self.path.partition("?")[0])
        if content is None:
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        begin, end = 0, len(content)
        if "Range" in self.headers:
            first, _, last = self.headers["Range"].removeprefix("bytes=").partition("-")
            begin, end = (int(first), min(end, int(last) + 1 if last else end)) if first else (max(0, end - int(last)), end)
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {begin}-{end - 1}/{len(content)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(end - begin))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content[begin:end])

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


def planted(server, folder):
    """Objects with and without flaws, and a list of them."""
    names = sorted(name for name in os.listdir(IMAGES) if name.endswith(".jpg"))[:3]
    archive = io.BytesIO()
    lines = ["file,label"]
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for number, name in enumerate(names):
            with open(os.path.join(IMAGES, name), "rb") as file:
                content = file.read()
            server.objects[f"/p/{number}.jpg"] = content
            lines.append(f"{server.signed(f'/p/{number}.jpg')},1")
            for ending, part in (("jpg", content), ("cls", b"1")):
                member = tarfile.TarInfo(f"{number}.{ending}")
                member.size = len(part)
                tar.addfile(member, io.BytesIO(part))
    server.objects["/p/broken.jpg"] = b"no picture"
    lines += [f"{server.signed('/p/broken.jpg')},1", f"{server.signed('/p/missing.jpg')},1"]
    server.objects["/d/photos.tar"] = archive.getvalue()
    server.objects["/d/broken.tar"] = b"no archive " * 100
    server.objects["/d/train.csv"] = "\n".join(lines).encode()
    server.objects["/d/rows.jsonl"] = b'{"text": "a"}\n{"text": "b"}\n'
    server.objects["/d/broken.jsonl"] = b'{"text": "a"}\nnot json\n'
    with open(os.path.join(folder, "train.csv"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    with open(os.path.join(folder, "away.csv"), "w", encoding="utf-8") as file:
        file.write(f"file,label\nhttp://user:{SECRET}@127.0.0.1:1/x.jpg?sig={SECRET},1\n")


def attempts(server, folder):
    """What a trainer does, rightly and wrongly."""
    options = {"arrays": ARRAYS, "timeout": PATIENCE}
    small = {"size": 16, "batch_size": 2, **options}
    trace = os.path.join(folder, "trace.json")
    local = os.path.join(folder, "train.csv")
    yield lambda: jspdl.images(local, max_failures=3, trace=trace, **small)
    yield lambda: jspdl.images(local, **small)
    away = {"storage": {"read_deadline": "1s"}}     # nobody is there, and need not be waited for
    for failures in (None, 1):
        yield lambda failures=failures: jspdl.images(os.path.join(folder, "away.csv"), max_failures=failures, **away, **small)
    for path in ("/d/train.csv", "/d/photos.tar", "/d/broken.tar", "/d/nothing.csv", "/d/nothing.tar"):
        yield lambda path=path: jspdl.images(server.signed(path), max_failures=3, **small)
    for path in ("/d/rows.jsonl", "/d/broken.jsonl", "/d/nothing.jsonl"):
        yield lambda path=path: jspdl.shards(server.signed(path), batch_size=1, text=["text"], **options)
        yield lambda path=path: jspdl.text(server.signed(path), length=4, batch_size=1, **options)
    for address in (f"http://user:{SECRET}@127.0.0.1:1/train.csv?{SECRET}", f"ftp://user:{SECRET}@localhost/train.csv",
                    f"s3://user:{SECRET}@bucket/train.csv?{SECRET}"):
        yield lambda address=address: jspdl.images(address, **away, **small)
    yield lambda: jspdl.arrays(server.signed("/d/rows.jsonl"), glob="*.npy", **options)
    yield lambda: jspdl.audio(server.signed("/d/photos.tar"), **options)
    for source in ({"shard": {"path": server.signed("/d/rows.jsonl")}}, {"shards": {"pth": server.signed("/d/rows.jsonl")}},
                   {server.signed("/d/rows.jsonl"): 1}, {"shards": {"path": server.signed("/d/rows.jsonl"), "window": "x"}}):
        yield lambda source=source: jspdl.plan({"source": source}, **options)
    yield lambda: jspdl.plan({"source": {"shards": {"path": server.signed("/d/rows.jsonl")}}}, resume_from=other_state(), **options)


def other_state():
    with jspdl.images(IMAGES, size=16, batch_size=1, arrays=ARRAYS, max_failures=0.9) as loader:
        next(iter(loader))
        return loader.state_dict()


def show(make):
    """Whatever a loader says about itself."""
    loader = None
    try:
        loader = make()
        for _ in loader:
            print(json.dumps(loader.state_dict()))
        print("loaded")
    except jspdl.JspdlError as failure:
        print(repr(failure))
        traceback.print_exc(file=sys.stdout)
    if loader is not None:
        print(repr(loader), vars(loader))
        with contextlib.suppress(jspdl.JspdlError):
            print(json.dumps(loader.stats()))
            print(loader.report())
        loader.close()


def main():
    server = Server()
    with tempfile.TemporaryDirectory() as folder:
        planted(server, folder)
        for make in attempts(server, folder):
            show(make)
        with open(os.path.join(folder, "trace.json"), encoding="utf-8") as file:
            print(file.read())
    server.shutdown()


class Secrets(unittest.TestCase):
    def test_no_secret_is_in_anything_that_a_loader_shows(self):
        ended = subprocess.run([sys.executable, "-B", "-c", "import test_secrets; test_secrets.main()"], cwd=HERE, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=5 * PATIENCE)      # for thirty loaders
        self.assertEqual(ended.returncode, 0, ended.stdout[-3000:])
        self.assertGreaterEqual(ended.stdout.count("loaded\n"), 4, ended.stdout)
        for address in ("/p/broken.jpg?...", "127.0.0.1:1/x.jpg", "127.0.0.1:1/train.csv"):
            self.assertIn(address, ended.stdout)
        shown = [line for line in ended.stdout.splitlines() if SECRET in line]
        self.assertEqual(shown, [])


if __name__ == "__main__":
    unittest.main()
