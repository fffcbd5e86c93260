#!/usr/bin/env python3
"""Makes the Parquet files beside it: run with pyarrow. Row i is a function of i, which the tests repeat."""
import pathlib

import pyarrow as pa
import pyarrow.parquet as pq

HERE = pathlib.Path(__file__).resolve().parent
ROWS = 60


def table(rows=ROWS):
    def column(type, of):
        return pa.array([of(i) for i in range(rows)], type)

    return pa.table({
        "id": column(pa.int64(), lambda i: i * 1_000_000_007),
        "image": column(pa.binary(), lambda i: bytes((i * 31 + j) % 256 for j in range(50 + i))),
        "label": column(pa.int32(), lambda i: i % 10),
        "text": column(pa.string(), lambda i: None if i % 7 == 0 else f"text é {i % 5}"),
        "weight": column(pa.float64(), lambda i: i / 3),
        "score": column(pa.float32(), lambda i: i / 4),
        "flag": column(pa.bool_(), lambda i: i % 3 == 0),
        "tokens": column(pa.list_(pa.int32()), lambda i: None if i % 11 == 5 else list(range(i, i + i % 4))),
        "nested": column(pa.struct([("a", pa.int32()), ("b", pa.string())]), lambda i: {"a": i, "b": "x"}),
        "words": column(pa.list_(pa.string()), lambda i: ["a", "b"]),
    })


for codec in ("none", "snappy", "zstd", "gzip", "lz4"):
    pq.write_table(table(), HERE / f"{codec}.parquet", compression=codec, row_group_size=25)
pq.write_table(table(), HERE / "v2.parquet", compression="zstd", row_group_size=25, data_page_version="2.0", use_dictionary=False,
               column_encoding={"id": "DELTA_BINARY_PACKED", "text": "DELTA_BYTE_ARRAY", "image": "DELTA_LENGTH_BYTE_ARRAY"},
               data_page_size=512)
pq.write_table(table(0), HERE / "empty.parquet")
