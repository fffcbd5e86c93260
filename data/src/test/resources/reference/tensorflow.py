"""Writes tensorflow.zip with TensorFlow 2.21: examples of every kind of feature in two plain shards and in gzipped ones.
Sample k is a function of k, which the test repeats."""
import io
import pathlib
import tempfile
import zipfile

import tensorflow as tf

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES, SHARDS = 12, 2


def bytes_of(*values):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))


def ints_of(*values):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def floats_of(*values):
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))


def example(k):
    image = tf.fill([8, 8 + k, 3], tf.constant(k * 20, tf.uint8))
    return tf.train.Example(features=tf.train.Features(feature={
        "image/encoded": bytes_of(tf.io.encode_png(image).numpy()),
        "image/class/label": ints_of(k % 3),
        "image/class/text": bytes_of(("é" * k).encode()),
        "numbers": ints_of(*(n * -(1 << 40) for n in range(k))),
        "reals": floats_of(*(n / 4 for n in range(k + 1))),
        "parts": bytes_of(*(bytes([n]) * n for n in range(3))),
        "nothing": tf.train.Feature(),
    })).SerializeToString(deterministic=True)


def write(folder, name, options):
    for shard in range(SHARDS):
        with tf.io.TFRecordWriter(str(folder / name.format(shard, SHARDS)), options) as writer:
            for k in range(shard * SAMPLES // SHARDS, (shard + 1) * SAMPLES // SHARDS):
                writer.write(example(k))


with tempfile.TemporaryDirectory() as made:
    made = pathlib.Path(made)
    (made / "plain").mkdir()
    (made / "gzip").mkdir()
    write(made / "plain", "train-{:05d}-of-{:05d}", None)
    write(made / "gzip", "train-{:05d}-of-{:05d}.gz", tf.io.TFRecordOptions(compression_type="GZIP"))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(made.rglob("train-*")):
            archive.writestr(zipfile.ZipInfo(str(file.relative_to(made)), (2026, 11, 28, 0, 0, 0)), file.read_bytes(), zipfile.ZIP_DEFLATED)
    (HERE / "tensorflow.zip").write_bytes(packed.getvalue())
