"""How soon the command is there, with and without the jars for Parquet and S3: `jspdl version`, and a run over 64 photographs.

Both are the launcher with a class cache of its own, over the same jars but for those that only Parquet and S3 need. An item is a command.
"""
import os
import pathlib
import shutil
import subprocess

from harness.rounds import Contestant

OURS = "all jars"
HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent
NEEDED = ("jspdl-0", "jspdl-arrays", "jspdl-core", "jspdl-data", "jspdl-media", "jspdl-observe", "jspdl-plan", "aircompressor", "ffmpeg", "snakeyaml")


def add_options(parser):
    parser.add_argument("--images", type=int, default=64, help="photographs of the run (default 64)")


def setting(options):
    return {"images": options.images}


def contestants(options):
    subprocess.run([ROOT / "jspdl", "sample", "--no-progress"], check=True, stdout=subprocess.DEVNULL)
    every = installed("all", lambda jar: True)
    fewer = installed("fewer", lambda jar: jar.name.startswith(NEEDED))
    photos = HERE / "target" / "startup" / f"photos-{options.images}"
    subprocess.run([every, "sample", photos, "--images", str(options.images), "--no-progress"], check=True, stdout=subprocess.DEVNULL)
    jobs = {"version": ["version"], "run": ["run", str(photos), "--no-progress"]}
    return [Contestant(f"{name}, {job}", [str(launcher), *words], read_outcome, work=job)
            for job, words in jobs.items() for name, launcher in (("all jars", every), ("without Parquet and S3", fewer))]


def installed(name, wanted):
    """The launcher beside the wanted jars, with a class cache made for them."""
    home = HERE / "target" / "startup" / name
    shutil.rmtree(home, ignore_errors=True)
    app = home / "cli" / "target" / "app"
    app.mkdir(parents=True)
    for jar in sorted((ROOT / "cli" / "target" / "app").glob("*.jar")):
        if wanted(jar):
            os.link(jar, app / jar.name)
    shutil.copy(ROOT / "jspdl", home)
    (app / "built").write_text(f"{home}\n", encoding="utf-8")
    subprocess.run([home / "jspdl", "sample", "--no-progress"], check=True, stdout=subprocess.DEVNULL)
    return home / "jspdl"


def read_outcome(outcome):
    return {"items": 1, "items_per_second": 1 / outcome.seconds, "cpu_seconds_per_1000_items": outcome.cpu_seconds * 1000,
            "first_batch_seconds": outcome.seconds}
