"""All that concerns data, in one run: the scenarios `orders`, `storage`, `remote`, `listing` and `shards`.

Orders of a billion samples against numpy's; reads behind latency and faults; WebDataset tar and Parquet against tarfile and pyarrow, and images from tar
against images from files; `shards` is left out where there is no pyarrow, and the setting says so. A folder of 1,281,000 links is made, unless `--folder` names one.
"""
import subprocess

from scenarios import listing, orders, remote, shards, storage

OURS = "jspdl"
PARTS = (orders, storage, remote, listing, shards)


def add_options(parser):
    for part in PARTS:
        part.add_options(parser)


def setting(options):
    return {key: value for part in parts(options) for key, value in part.setting(options).items()}


def contestants(options):
    return [contestant for part in parts(options) for contestant in part.contestants(options)]


def parts(options):
    """Those that can be run here: the tables of `shards` are written by pyarrow."""
    try:
        options.python = options.python or shards.with_pyarrow()
    except subprocess.CalledProcessError:
        print("'shards' is left out: there is no pyarrow, and pip found none")
        return PARTS[:-1]
    return PARTS


def summary(results):
    return storage.summary([result for result in results if "notes" in result])
