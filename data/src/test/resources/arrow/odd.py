"""Writes small files with pyarrow that its own programs hardly ever write: python3 odd.py FOLDER.

union-v4.arrow has unions before a column of numbers, in version 4 of the format, in which unions have bits for nulls.
lost.arrows is a stream whose dictionary was taken out. plain.arrows is a stream of the numbers 1, 2, 3. Needs pyarrow.
"""
import os
import sys

import pyarrow as pa

folder = sys.argv[1]


def stream(table, options=None):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    return sink.getvalue()


types = pa.array([0, 1, 0], pa.int8())
ints, texts = pa.array([5, 0, 7], pa.int32()), pa.array(["", "b", ""])
numbers = pa.array([1, None, 3], pa.int64())
unions = pa.table({
    "sparse": pa.UnionArray.from_sparse(types, [ints, texts]),
    "dense": pa.UnionArray.from_dense(types, pa.array([0, 0, 1], pa.int32()), [ints, texts]),
    "x": numbers,
})
version4 = pa.ipc.IpcWriteOptions(metadata_version=pa.ipc.MetadataVersion.V4)
with pa.ipc.new_file(os.path.join(folder, "union-v4.arrow"), unions.schema, options=version4) as writer:
    writer.write_table(unions)

codes = pa.table({"x": pa.DictionaryArray.from_arrays(pa.array([2, 0, 1], pa.int32()), pa.array([70, 80, 90], pa.int64()))})
reader = pa.BufferReader(stream(codes))
with open(os.path.join(folder, "lost.arrows"), "wb") as lost:
    while True:
        try:
            message = pa.ipc.read_message(reader)
        except EOFError:
            break
        if message.type != "dictionary":
            lost.write(message.serialize())
    lost.write(b"\xff\xff\xff\xff\0\0\0\0")

with open(os.path.join(folder, "plain.arrows"), "wb") as plain:
    plain.write(stream(pa.table({"x": pa.array([1, 2, 3], pa.int64())})))
