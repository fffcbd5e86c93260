"""Where a JDK 25 is."""
import os
import pathlib
import sys

FOLDERS = ("/usr/lib/jvm", "/usr/java", "/opt", "/Library/Java/JavaVirtualMachines")


def find():
    """The `java` of JAVA_HOME if that is a JDK 25, else of the first one in the system's folders."""
    homes = [pathlib.Path(os.environ["JAVA_HOME"])] if "JAVA_HOME" in os.environ else []
    for folder in FOLDERS:
        homes += sorted(pathlib.Path(folder).glob("*")) if pathlib.Path(folder).is_dir() else []
    for home in homes:
        release = home / "release"
        if release.is_file() and 'JAVA_VERSION="25' in release.read_text(encoding="utf-8"):
            return str(home / "bin" / "java")
    sys.exit("no JDK 25 found: set JAVA_HOME to one")
