"""Builds the benchmarks, unless no source is newer than their jar."""
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JAR = ROOT / "benchmarks" / "target" / "benchmarks.jar"
SOURCES = ("core", "arrays", "media", "observe", "benchmarks")


def benchmarks():
    """Makes `benchmarks/target/benchmarks.jar` up to date; a build beside a measurement would disturb it."""
    if not JAR.exists() or newest_source() > JAR.stat().st_mtime:
        subprocess.run([ROOT / "mvnw", "-q", "-o", "-DskipTests", "-Dfast", "-pl", "benchmarks", "-am", "package"],
                       check=True, cwd=ROOT)
        os.utime(JAR)


def newest_source():
    files = [ROOT / "pom.xml"]
    for module in SOURCES:
        files += [ROOT / module / "pom.xml", *(ROOT / module / "src" / "main").rglob("*.*")]
    return max(file.stat().st_mtime for file in files)
