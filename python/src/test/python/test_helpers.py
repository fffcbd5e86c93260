"""What the helpers load, from real files made here, against what Python reads of them."""
import http.server
import io
import itertools
import json
import math
import os
import shutil
import struct
import subprocess
import tarfile
import tempfile
import threading
import unittest
import wave

import jspdl
from support import ARRAYS, IMAGES, PATIENCE, numpy

RATE = 8000


def picture(name="444-121x87.jpg"):
    with open(f"{IMAGES}/{name}", "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


@unittest.skipIf(numpy is None, "needs numpy")
class Helpers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def load(self, helper, *arguments, **options):
        with helper(*arguments, arrays=ARRAYS, timeout=PATIENCE, **options) as loader:
            return [{name: value.copy() if isinstance(value, numpy.ndarray) else value for name, value in batch.items()}
                    for batch in loader]


class Images(Helpers):
    def pictures(self, count=12):
        for n in range(count):
            os.makedirs(f"{self.folder}/{n % 2}", exist_ok=True)
            write(f"{self.folder}/{n % 2}/{n:02}.jpg", picture())
        return self.folder

    def test_random_crops_flips_and_jitter_differ_by_image_and_epoch_and_repeat_with_the_seed(self):
        options = {"size": 24, "batch_size": 4, "random_resized_crop": {"scale": (0.2, 0.9)}, "flip": 0.5, "color_jitter": 0.4}
        path = self.pictures()
        with jspdl.images(path, arrays=ARRAYS, seed=3, **options) as loader:
            first, second = (numpy.concatenate([batch["image"] for batch in loader]) for _ in range(2))
        again = numpy.concatenate([batch["image"] for batch in self.load(jspdl.images, path, seed=3, epochs=1, **options)])
        other = numpy.concatenate([batch["image"] for batch in self.load(jspdl.images, path, seed=4, epochs=1, **options)])
        numpy.testing.assert_array_equal(first, again)
        self.assertEqual(len({image.tobytes() for image in numpy.concatenate([first, second, other])}), 36)

    def test_three_batches_take_memory_while_the_trainer_is_busy(self):
        path = self.pictures(192)
        with jspdl.images(path, arrays=ARRAYS, size=96, batch_size=64, indices=[*range(192)] * 5, workers=2) as loader:
            def handed():
                handover = loader.stats()["handover"]
                return handover["slots"] - handover["slots_free"], handover["slots"] - handover["slots_least_free"], handover["prefetch"]

            for epoch in range(2):
                for at, batch in enumerate(loader):
                    while at + 1 < len(loader) and loader.stats()["batches"] <= epoch * len(loader) + at + 1:
                        pass    # until the next one is ready, so that the trainer never waits
                    used, most, prefetch = handed()
                    self.assertLessEqual(used, 2 + prefetch, batch["index"])
                    if epoch == 0:
                        self.assertEqual(prefetch, 1)
                self.assertLessEqual(most, 2 + prefetch)
                if epoch == 0:
                    self.assertEqual(most, 3)

    def test_flipping_always_is_the_mirror_image_and_normalization_is_that_of_torchvision(self):
        path = self.pictures(2)
        plain, mirrored, normal = (
            self.load(jspdl.images, path, size=32, **more)[0]["image"]
            for more in ({}, {"flip": 1.0}, {"mean": jspdl.IMAGENET_MEAN, "std": jspdl.IMAGENET_STD}))
        numpy.testing.assert_array_equal(mirrored, plain[:, :, :, ::-1])
        mean, std = (numpy.array(each, "float32").reshape(3, 1, 1) for each in (jspdl.IMAGENET_MEAN, jspdl.IMAGENET_STD))
        numpy.testing.assert_allclose(normal, (plain - mean) / std, atol=1e-5)

    def test_images_of_shards_are_those_of_their_files_and_go_on_where_they_stood(self):
        path = self.pictures(6)
        files = sorted(f"{n % 2}/{n:02}.jpg" for n in range(6))
        for shard in range(2):
            with tarfile.open(f"{self.folder}/s-{shard}.tar", "w") as tar:
                for name in files[shard * 3:shard * 3 + 3]:
                    tar.add(f"{path}/{name}", f"{name[2:4]}.jpg")
                    info = tarfile.TarInfo(f"{name[2:4]}.cls")
                    info.size = 1
                    tar.addfile(info, io.BytesIO(name[:1].encode()))
        expected = self.load(jspdl.images, path, size=16, batch_size=4)
        pattern = f"{self.folder}/s-{{0..1}}.tar"
        actual = self.load(jspdl.images, pattern, size=16, batch_size=4)
        self.assertEqual([len(batch["label"]) for batch in actual], [4, 2])
        for one, other in zip(expected, actual):
            numpy.testing.assert_array_equal(one["image"], other["image"])
            numpy.testing.assert_array_equal(one["label"], other["label"])
        with jspdl.images(pattern, size=16, batch_size=4, arrays=ARRAYS) as loader:
            next(iter(loader))
            state = loader.state_dict()
            self.assertEqual(loader.stats()["handover"]["copied_batches"], 0)
        with jspdl.images(pattern, size=16, batch_size=4, arrays=ARRAYS, resume_from=state) as loader:
            numpy.testing.assert_array_equal(next(iter(loader))["image"], actual[1]["image"])

    def test_images_that_a_worker_decodes_are_those_of_this_machine(self):
        path = self.pictures(6)
        more = {"size": 32, "batch_size": 4, "shuffle": True, "seed": 5, "random_resized_crop": True, "flip": 0.5}
        local = self.load(jspdl.images, path, **more)
        with Worker(self.folder, path, {"shuffle": True, "seed": 5},
                    {"batch-size": 4, "size": 32, "crop": "random-resized-crop", "flip": 0.5}) as address:
            served = self.load(jspdl.images, path, service=address, **more)
            with self.assertRaisesRegex(jspdl.PlanError, "no worker serves this plan"):
                self.load(jspdl.images, path, service=[address], **{**more, "seed": 6})
        self.assertEqual(len(served), 2)
        for one, other in zip(local, served):
            for name in ("image", "label", "index"):
                numpy.testing.assert_array_equal(one[name], other[name])


class Worker:
    """A worker of the data service in a process of its own, which ends with the block."""
    PROGRAM = """
        import org.jspdl.plan.*;
        import org.jspdl.service.*;
        void main(String[] arguments) throws Exception {
            Path plan = Path.of(arguments[0]);
            try (PieceServer server = PieceServer.start(
                    Plan.read(plan), Operations.installed(), PlanContext.in(plan.getParent()), ServerOptions.at(0))) {
                IO.println(server.port());
                System.in.read();
            }
        }"""

    def __init__(self, folder, path, order, allocate):
        self.plan, self.program = f"{folder}/plan.json", f"{folder}/Worker.java"
        write(self.program, self.PROGRAM.encode())
        write(self.plan, json.dumps({
            "source": {"images": {"path": path, **order}},
            "steps": [{"allocate-batch": allocate}, {"read-image": {}}, {"decode-image": {}, "name": "decode", "cpu": 1},
                      {"batch": allocate["batch-size"]}, {"stack-images": {}}],
            "seed": order["seed"]}).encode())

    def __enter__(self):
        java = os.path.join(os.environ["JSPDL_JAVA_HOME"], "bin", "java")
        self.process = subprocess.Popen(
            [java, "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp", os.environ["JSPDL_CLASSPATH"], self.program,
             self.plan], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return f"http://127.0.0.1:{int(self.process.stdout.readline())}"

    def __exit__(self, *_):
        self.process.communicate(b"\n")


class Shards(Helpers):
    def test_webdataset_fields_are_loaded_as_asked_and_dealt_to_ranks(self):
        for shard in range(4):
            with tarfile.open(f"{self.folder}/train-{shard}.tar", "w") as tar:
                for n in range(3):
                    array = io.BytesIO()
                    numpy.save(array, numpy.full((2, 2), shard * 3 + n))
                    for ending, data in (("jpg", picture()), ("cls", b"%d" % (shard * 3 + n)), ("txt", "grün".encode()),
                                         ("npy", array.getvalue()), ("bin", bytes(n + 1))):
                        info = tarfile.TarInfo(f"{shard}{n}.{ending}")
                        info.size = len(data)
                        tar.addfile(info, io.BytesIO(data))
        options = {"image": {"size": 16}, "text": ["txt"], "number": ["cls"], "array": ["npy"], "pad": ["bin"], "batch_size": 6}
        pattern = f"{self.folder}/train-{{0..3}}.tar"
        batches = self.load(jspdl.shards, pattern, **options)
        first = batches[0]
        self.assertEqual((first["image"].shape, first["image"].dtype), ((6, 3, 16, 16), numpy.float32))
        self.assertEqual(([list(batch["cls"]) for batch in batches]), [list(range(6)), list(range(6, 12))])
        self.assertEqual((first["txt"], first["key"]), (["grün"] * 6, ["00", "01", "02", "10", "11", "12"]))
        numpy.testing.assert_array_equal(first["npy"], numpy.repeat(numpy.arange(6), 4).reshape(6, 2, 2))
        self.assertEqual((first["bin"].shape, list(first["bin_length"])), ((6, 3), [1, 2, 3] * 2))
        dealt = {}
        for even in (None, "stop-together", "repeat", "uneven"):
            ranks = [self.load(jspdl.shards, pattern, columns=["cls"], number=["cls"], shuffle=True, seed=1, rank=rank, world_size=5,
                               **({"even": even} if even else {})) for rank in range(5)]
            dealt[even] = [[n for batch in batches for n in batch["cls"]] for batches in ranks]
            self.assertEqual({"everywhere" in batch for batches in ranks for batch in batches}, {even == "uneven"})
        for even, each in ((None, 2), ("stop-together", 2), ("repeat", 3)):
            self.assertEqual([len(share) for share in dealt[even]], [each] * 5)
        self.assertEqual(sorted(sum(dealt["uneven"], [])), list(range(12)))
        self.assertEqual(set(sum(dealt["repeat"], [])), set(range(12)))
        with self.assertRaisesRegex(jspdl.PlanError, "even must be"):
            jspdl.shards(pattern, even="unequal")
        with self.assertRaisesRegex(jspdl.JspdlError, r"train-0.tar.*no field 'score', only"):
            self.load(jspdl.shards, pattern, decimal=["score"])

    def test_a_cache_keeps_shards_of_other_machines_and_a_server_is_told_who_asks(self):
        with tarfile.open(f"{self.folder}/a.tar", "w") as tar:
            for n in range(6):
                info = tarfile.TarInfo(f"{n}.cls")
                info.size = 1
                tar.addfile(info, io.BytesIO(b"%d" % n))
        with open(f"{self.folder}/a.tar", "rb") as file:
            content = file.read()
        asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self, sends):
                asked.append(f"{self.command} {self.path}")
                first, last = 0, len(content) - 1
                known = self.headers["Authorization"] == "Bearer t-1" and self.path == "/a.tar"
                if known and "Range" in self.headers:
                    first, last = (int(n) for n in self.headers["Range"][len("bytes="):].split("-"))
                    last = min(last, len(content) - 1)
                body = content[first:last + 1] if known else b""
                self.send_response((206 if "Range" in self.headers else 200) if known else 404 if self.headers["Authorization"] else 401)
                self.send_header("Content-Length", str(len(body)))
                if "Range" in self.headers and known:
                    self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
                self.end_headers()
                if sends:
                    self.wfile.write(body)

            def do_GET(self):
                self.answer(True)

            def do_HEAD(self):
                self.answer(False)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        origin = f"http://127.0.0.1:{server.server_port}"
        write(f"{self.folder}/headers", f"{origin} Authorization: Bearer t-1\n".encode())
        options = {"number": ["cls"], "storage": {"http_headers": f"{self.folder}/headers", "read_deadline": "2m", "hedge_share": 0},
                   "cache": f"{self.folder}/cache", "cache_size": "16MiB"}
        for fetched in (True, False):
            asked.clear()
            batch, = self.load(jspdl.shards, f"{origin}/a.tar", **options)
            self.assertEqual(list(batch["cls"]), list(range(6)))
            self.assertEqual("GET /a.tar" in asked, fetched, asked)
        with self.assertRaisesRegex(jspdl.JspdlError, "401"):
            self.load(jspdl.shards, f"{origin}/a.tar", number=["cls"])
        for wrong, message in (({"storage": "20s"}, "storage must be a dictionary"), ({"cache_size": 5}, "cache_size needs cache"),
                               ({"cache": {"size": "1G"}}, "cache must be a folder"), ({"cache": {"folder": "c", "peers": 1.5}}, "cache: peers must be"),
                               ({"cache": {"folder": f"{self.folder}/c", "peers": ["a:1"]}}, "a peer is as http://trainer-3:7070"),
                               ({"storage": {"retry_budget": [1]}}, "retry_budget must be a text or a number"),
                               ({"storage": {"retires": 1}}, "storage has no setting 'retires'")):
            with self.assertRaisesRegex(jspdl.PlanError, message):
                self.load(jspdl.shards, f"{self.folder}/a.tar", number=["cls"], **wrong)

    def test_json_lines_and_tfrecord_and_rows_of_npz(self):
        with open(f"{self.folder}/a.jsonl", "w", encoding="utf-8") as file:
            for n in range(5):
                file.write(json.dumps({"text": f"line {n}", "score": n / 4, "id": n}) + "\n")
        batch, = self.load(jspdl.shards, f"{self.folder}/a.jsonl", text=["text"], decimal=["score"], number=["id"])
        self.assertEqual(batch["text"], [f"line {n}" for n in range(5)])
        self.assertEqual((list(batch["score"]), list(batch["id"])), ([0, .25, .5, .75, 1], list(range(5))))
        numpy.savez(f"{self.folder}/b.npz", x=numpy.arange(12).reshape(4, 3), y=numpy.arange(4) / 2)
        batch, = self.load(jspdl.shards, f"{self.folder}/b.npz")
        numpy.testing.assert_array_equal(batch["x"], numpy.arange(12).reshape(4, 3))
        numpy.testing.assert_array_equal(batch["y"], numpy.arange(4) / 2)
        with open(f"{self.folder}/c.tfrecord", "wb") as file:
            for record in (b"one", b"three"):
                length = struct.pack("<Q", len(record))
                file.write(length + checksum(length) + record + checksum(record))
        batch, = self.load(jspdl.shards, f"{self.folder}/c.tfrecord", text=["record"])
        self.assertEqual(batch["record"], ["one", "three"])

    def test_rows_of_parquet_have_their_columns_as_fields(self):
        file = os.path.normpath(f"{IMAGES}/../../../../../parquet/src/test/resources/snappy.parquet")
        batch, = self.load(jspdl.shards, file, columns=["id", "label"], batch_size=10_000)
        rows = numpy.arange(len(batch["id"]))
        self.assertGreater(len(rows), 10)
        numpy.testing.assert_array_equal(batch["id"], rows * 1_000_000_007)
        numpy.testing.assert_array_equal(batch["label"], rows % 10)

    def test_where_leaves_some_rows_of_parquet(self):
        file = os.path.normpath(f"{IMAGES}/../../../../../parquet/src/test/resources/snappy.parquet")
        batch, = self.load(jspdl.shards, file, columns=["id"], where="label in (3, 5) and id > 3000000021", block=8, batch_size=10_000)
        rows = [row for row in range(4, int(batch["id"][-1] // 1_000_000_007) + 1) if row % 10 in (3, 5)]
        numpy.testing.assert_array_equal(batch["id"], numpy.array(rows) * 1_000_000_007)
        with self.assertRaisesRegex(jspdl.JspdlError, "wrong at character 8"):
            self.load(jspdl.shards, file, where="label >")
        with self.assertRaisesRegex(jspdl.JspdlError, "the column 'lable', which is not there"):
            self.load(jspdl.shards, file, where="lable = 3")
        for wrong in ({"where": 3}, {"where": " "}, {"block": -1}):
            with self.assertRaises(jspdl.PlanError):
                jspdl.shards(file, **wrong)
        with self.assertRaisesRegex(jspdl.PlanError, "need path"):
            jspdl.images(where="label = 3")

    def test_shards_go_on_where_they_stood(self):
        with open(f"{self.folder}/a.jsonl", "w", encoding="utf-8") as file:
            file.writelines(json.dumps({"id": n}) + "\n" for n in range(50))
        options = {"number": ["id"], "batch_size": 4, "shuffle": True, "seed": 9, "window": 20, "arrays": ARRAYS}
        with jspdl.shards(f"{self.folder}/a.jsonl", **options) as loader:
            whole = [list(batch["id"]) for batch in loader]
        with jspdl.shards(f"{self.folder}/a.jsonl", **options) as loader:
            batches = iter(loader)
            seen = [list(next(batches)["id"]) for _ in range(5)]
            state = loader.state_dict()
        with jspdl.shards(f"{self.folder}/a.jsonl", resume_from=state, **options) as loader:
            self.assertEqual(seen + [list(batch["id"]) for batch in loader], whole)


class Arrays(Helpers):
    def test_npy_files_become_batches_and_different_shapes_are_padded(self):
        for n in range(5):
            numpy.save(f"{self.folder}/{n}.npy", numpy.arange(n + 1, dtype="float32"))
        batch, = self.load(jspdl.arrays, self.folder, glob="*.npy", pad=["array"])
        self.assertEqual((batch["array"].shape, list(batch["array_length"]), list(batch["index"])),
                         ((5, 5), [1, 2, 3, 4, 5], list(range(5))))
        numpy.testing.assert_array_equal(batch["array"], numpy.tril(numpy.ones((5, 5))) * numpy.arange(5))
        with self.assertRaisesRegex(jspdl.JspdlError, "field 'array': sample 0 is .* but sample 1 is"):
            self.load(jspdl.arrays, self.folder, glob="*.npy")


class Sounds(Helpers):
    def sounds(self):
        for n in range(3):
            with wave.open(f"{self.folder}/{n}.wav", "wb") as file:
                file.setparams((1, 2, RATE, 0, "NONE", ""))
                file.writeframes(b"".join(struct.pack("<h", round(10_000 * math.sin(i / 9) + n)) for i in range(1000 * (n + 1))))

    def test_sounds_are_padded_to_the_longest_or_cut_to_what_was_asked(self):
        self.sounds()
        batch, = self.load(jspdl.audio, self.folder, glob="*.wav")
        self.assertEqual((batch["audio"].shape, list(batch["audio_length"])), ((3, 1, 3000), [1000, 2000, 3000]))
        expected = numpy.array([round(10_000 * math.sin(i / 9)) for i in range(1000)]) / 32768
        numpy.testing.assert_allclose(batch["audio"][0, 0, :1000], expected, atol=1e-6)
        self.assertFalse(batch["audio"][0, 0, 1000:].any())
        batch, = self.load(jspdl.audio, self.folder, glob="*.wav", sample_rate=RATE, channels=2, seconds=0.25)
        self.assertEqual((batch["audio"].shape, list(batch["audio_length"])), ((3, 2, 2000), [1000, 2000, 2000]))

    def test_sounds_as_librispeech_has_them_come_with_what_is_said(self):
        self.sounds()
        os.makedirs(f"{self.folder}/train/84/121")
        for n in range(2):
            os.rename(f"{self.folder}/{n}.wav", f"{self.folder}/train/84/121/84-121-000{n}.wav")
        with open(f"{self.folder}/train/84/121/84-121.trans.txt", "w", encoding="utf-8") as file:
            file.write("84-121-0001 BUT IN LESS THAN\n84-121-0000 GO\n")
        batch, = self.load(jspdl.audio, f"{self.folder}/train", transcripts=True)
        self.assertEqual((list(batch["text"]), list(batch["audio_length"])), (["GO", "BUT IN LESS THAN"], [1000, 2000]))
        self.assertEqual(list(batch["label"]), [0, 0])

    def test_a_random_part_lies_in_the_sound(self):
        self.sounds()
        whole, = self.load(jspdl.audio, self.folder, glob="2.wav")
        part, = self.load(jspdl.audio, self.folder, glob="2.wav", sample_rate=RATE, seconds=0.05, random_crop=True, seed=5)
        windows = numpy.lib.stride_tricks.sliding_window_view(whole["audio"][0, 0], 400)
        self.assertTrue((numpy.abs(windows - part["audio"][0, 0]).max(axis=1) < 1e-6).any())


@unittest.skipIf(shutil.which("ffmpeg") is None, "needs ffmpeg")
class Videos(Helpers):
    def test_clips_are_the_frames_that_were_asked_for(self):
        for n in range(2):
            subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=2", "-pix_fmt", "yuv420p",
                            "-c:v", "mpeg4", "-q:v", "2", f"{self.folder}/{n}.mp4"], check=True)
        options = {"glob": "*.mp4", "size": 32, "frames": 20, "dtype": "uint8", "batch_size": 2}
        whole, = self.load(jspdl.video, self.folder, sampling="start", **options)
        self.assertEqual(whole["video"].shape, (2, 20, 3, 32, 32))
        evenly, = self.load(jspdl.video, self.folder, sampling="evenly", **{**options, "frames": 10})
        numpy.testing.assert_array_equal(evenly["video"], whole["video"][:, 1::2])
        part, = self.load(jspdl.video, self.folder, sampling="random", stride=2, layout="cthw", seed=4, **{**options, "frames": 5})
        self.assertEqual(part["video"].shape, (2, 3, 5, 32, 32))
        for n in range(2):
            clip = part["video"][n].transpose(1, 0, 2, 3)
            self.assertTrue(any(numpy.array_equal(clip, whole["video"][n, first:first + 9:2]) for first in range(12)))


class Texts(Helpers):
    def test_documents_are_packed_with_their_ends(self):
        with open(f"{self.folder}/a.txt", "w", encoding="utf-8") as file:
            file.write("abc\n\ndefg\n\nhi\n")
        batch, = self.load(jspdl.text, f"{self.folder}/a.txt", length=6)
        self.assertEqual(batch["tokens"].tolist(), [[97, 98, 99, 256, 100, 101], [102, 103, 256, 104, 105, 256]])
        self.assertEqual(batch["documents"].tolist(), [[1, 1, 1, 1, 2, 2], [1, 1, 1, 2, 2, 2]])
        with open(f"{self.folder}/a.jsonl", "w", encoding="utf-8") as file:
            file.write('{"body": "abcdefgh"}\n{"body": "ij"}\n')
        batch, = self.load(jspdl.text, f"{self.folder}/a.jsonl", length=12, field="body", pack="best-fit", end_of_document=0)
        self.assertEqual(batch["tokens"].tolist(), [[*range(97, 105), 0, 105, 106, 0]])

    def test_whole_documents_of_a_file_of_tokens_are_balanced_over_ranks(self):
        documents = [[1 + number] * (20 if number % 3 == 0 else 5) for number in range(60)]
        tokens = [token for document in documents for token in document]
        ends = list(itertools.accumulate(map(len, documents)))
        with open(f"{self.folder}/a.tokens", "wb") as file:
            file.write(struct.pack("<8s4q", b"JSPDLTOK", 2, len(tokens), len(ends), 40 + 2 * len(tokens)))
            file.write(struct.pack(f"<{len(tokens)}H{len(ends)}q", *tokens, *ends))
        seen = []
        for rank in range(2):
            for batch in self.load(jspdl.text, f"{self.folder}/a.tokens", length=30, pack="balanced", longest=10, batch_size=1,
                                   shuffle=True, rank=rank, world_size=2):
                self.assertLess(int(batch["positions"].max()), 10)
                seen += [token for token in batch["tokens"].flatten().tolist() if token]
        self.assertEqual(sorted(seen), sorted(tokens))

    def test_a_tokenizer_of_hugging_face_is_a_file(self):
        file = f"{self.folder}/tokenizer.json"
        with open(file, "w", encoding="utf-8") as opened:
            json.dump({"version": "1.0", "pre_tokenizer": {"type": "Whitespace"},
                       "added_tokens": [{"id": 5, "content": "<end>", "single_word": False, "lstrip": False, "rstrip": False,
                                         "normalized": False, "special": True}],
                       "model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "to": 1, "be": 2, "or": 3, "not": 4}}},
                      opened)
        with open(f"{self.folder}/a.txt", "w", encoding="utf-8") as opened:
            opened.write("to be or not to be\n\nthat\n")
        batch, = self.load(jspdl.text, f"{self.folder}/a.txt", length=9, tokenizer=file, end_of_document="<end>")
        self.assertEqual(batch["tokens"].tolist(), [[1, 2, 3, 4, 1, 2, 5, 0, 5]])
        with self.assertRaisesRegex(jspdl.PlanError, "has no token '<stop>'"):
            jspdl.text(f"{self.folder}/a.txt", length=9, tokenizer=file, end_of_document="<stop>")
        with self.assertRaisesRegex(jspdl.PlanError, "the path of a tokenizer.json.* but was '.*absent.json'"):
            jspdl.text(f"{self.folder}/a.txt", length=9, tokenizer=f"{self.folder}/absent.json")


class Arguments(unittest.TestCase):
    def test_mistakes_are_named_before_anything_is_started(self):
        here = os.path.dirname(__file__)
        for message, helper, arguments in (
                ("random_crop and random_resized_crop", jspdl.images, {"random_crop": True, "random_resized_crop": True}),
                ("random_resized_crop must be True or a dictionary", jspdl.images, {"random_resized_crop": 0.5}),
                ("flip must be a number from 0 to 1 but was 2", jspdl.images, {"flip": 2}),
                ("a key of color_jitter must be one of brightness", jspdl.images, {"color_jitter": {"gamma": 1}}),
                ("service needs path", jspdl.images, {"path": None, "service": "http://decoder:8080"}),
                ("mean and std are given together, with a dtype of floats", jspdl.images, {"mean": (0, 0, 0)}),
                ("std must be 3 numbers", jspdl.images, {"mean": (0, 0, 0), "std": 1}),
                ("frame_rate goes with sampling=\"start\"", jspdl.video, {"frame_rate": 5}),
                ("layout must be one of tchw", jspdl.video, {"layout": "nchw"}),
                ("seconds needs sample_rate", jspdl.audio, {"seconds": 1}),
                ("random_crop needs seconds", jspdl.audio, {"random_crop": True}),
                ("transcripts goes with a folder alone", jspdl.audio, {"transcripts": True, "glob": "*.wav"}),
                ("columns must be a list of names but was 'jpg'", jspdl.shards, {"columns": "jpg"}),
                ("length must be a whole number", jspdl.text, {"length": 0}),
                ('tokenizer must be "bytes", the path', jspdl.text, {"length": 8, "tokenizer": "gpt2"}),
                ("there is no folder or file list at .*/no/such", jspdl.audio, {"path": "no/such"}),
                ("the trace cannot be written: there is no folder", jspdl.images, {"trace": "/no/such/run.json"})):
            with self.subTest(message=message), self.assertRaisesRegex(jspdl.PlanError, message):
                helper(**{"path": here, **arguments})

    def test_operations_check_what_only_they_know(self):
        with jspdl.shards(os.path.dirname(__file__), image={"siez": 3}, arrays=ARRAYS) as loader:
            with self.assertRaisesRegex(jspdl.PlanError, "no parameter 'siez'; did you mean 'size'"):
                len(loader)


class Isolation(unittest.TestCase):
    def test_which_sounds_and_videos_helpers_decode_is_one_of_three(self):
        for helper in (jspdl.audio, jspdl.video):
            with self.assertRaisesRegex(jspdl.PlanError, "isolation .*auto"):
                helper(os.path.dirname(__file__), glob="*.py", isolation="some")

    def test_a_deadline_that_is_none_is_refused_by_the_plan(self):
        with jspdl.audio(os.path.dirname(__file__), glob="*.py", decode_deadline="soon", arrays=ARRAYS) as loader:
            with self.assertRaisesRegex(jspdl.PlanError, "decode-deadline"):
                len(loader)


class Plans(unittest.TestCase):
    def test_what_contradicts_itself_is_shown_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/clips.yaml", "w", encoding="utf-8") as file:
                file.write("source:\n  files: {path: ., glob: '*.yaml'}\nsteps:\n  - load-video: {stride: 2}\n    cpu: 1\n")
            with jspdl.plan(f"{folder}/clips.yaml", arrays=ARRAYS) as loader:
                with self.assertRaisesRegex(jspdl.PlanError, r"clips.yaml:4:5: .*'stride' goes with sampling: random only"):
                    len(loader)

    def test_a_field_that_was_not_loaded_says_what_to_do(self):
        plan = {"source": {"files": {"path": os.path.dirname(__file__), "glob": "*.py"}}, "steps": [{"batch": 2}, {"collate": {}}]}
        with jspdl.plan(plan, arrays=ARRAYS) as loader:
            with self.assertRaisesRegex(jspdl.JspdlError, "the field 'file' was not loaded: put a step such as load-image before"):
                next(iter(loader))


def checksum(data):
    """TFRecord's masked CRC-32C."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


if __name__ == "__main__":
    unittest.main()
