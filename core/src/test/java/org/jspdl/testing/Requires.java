package org.jspdl.testing;

import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/// What a test needs of the machine besides a JDK. Where it is missing, the test is skipped.
///
/// Call this where the thing is used, so that no test can forget it. The end of the build lists what was missing and
/// the Debian packages that have it; `.ci/run` fails on any skipped test.
public final class Requires {
    /// The Debian package of each program, library and module of Python.
    private static final Map<String, String> PACKAGES = Map.ofEntries(
            Map.entry("ffmpeg", "ffmpeg"),
            Map.entry("ffprobe", "ffmpeg"),
            Map.entry("sox", "sox"),
            Map.entry("cjpeg", "libjpeg-turbo-progs"),
            Map.entry("djpeg", "libjpeg-turbo-progs"),
            Map.entry("jpegtran", "libjpeg-turbo-progs"),
            Map.entry("cc", "gcc libc6-dev"),
            Map.entry("mkfifo", "coreutils"),
            Map.entry("setpriv", "util-linux"),
            Map.entry("script", "bsdutils"),
            Map.entry("sh", "dash"),
            Map.entry("python3", "python3"),
            Map.entry("numpy", "python3-numpy"),
            Map.entry("libpython", "libpython3-dev"),
            Map.entry("torch", "python3-torch"),
            Map.entry("cloudpickle", "python3-cloudpickle"),
            Map.entry("mypy", "mypy"),
            Map.entry("tqdm", "python3-tqdm"),
            Map.entry("chromium", "chromium"),
            Map.entry("libturbojpeg.so.0", "libturbojpeg0"),
            Map.entry("libwebp.so.7", "libwebp7"),
            Map.entry("libFLAC.so", "libflac14"));

    /// The package of npm of each program that Debian doesn't have.
    private static final Map<String, String> NPM = Map.of("azurite-blob", "azurite", "pyright", "pyright");

    private Requires() {}

    /// The name of a program on the path; skips the test if there is none.
    public static String program(String name) {
        if (find(name).isEmpty()) {
            throw missing(name);
        }
        return name;
    }

    /// A `python3` that has `modules`: one on the path, or Debian's own. Skips the test if there is none.
    public static String python(String... modules) {
        String found = pythonWithMostOf(modules);
        for (String module : modules) {
            if (!has(found, module)) {
                throw missing(module);
            }
        }
        return found;
    }

    /// The `python3` that has most of `modules`; skips the test if there is none at all.
    public static String pythonWithMostOf(String... modules) {
        return find("python3").stream()
                .max(Comparator.comparingLong(python ->
                        Stream.of(modules).filter(module -> has(python, module)).count()))
                .orElseThrow(() -> missing("python3"));
    }

    private static boolean has(String python, String module) {
        return Programs.succeeds(
                python,
                "-c",
                "import importlib.util, sys; sys.exit(importlib.util.find_spec('" + module + "') is None)");
    }

    /// The beginning of a command that runs the [#browser] without a window, with its settings in `profile`, and
    /// without anything that it would ask the network for.
    public static List<String> headlessBrowser(Path profile) {
        return List.of(
                browser(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + profile);
    }

    /// Chromium, by any of its names; skips the test if there is none.
    public static String browser() {
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> find(name).stream())
                .findFirst()
                .orElseThrow(() -> missing("chromium"));
    }

    /// A library that the system's loader finds; skips the test if there is none.
    @SuppressWarnings("restricted")
    public static void library(String name) {
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup.libraryLookup(name, arena);
        } catch (IllegalArgumentException absent) {
            throw missing(name);
        }
    }

    /// Skips a test that needs `what`, which the machine doesn't have.
    public static TestAbortedException missing(String what) {
        String debian = PACKAGES.get(what);
        String npm = NPM.get(what);
        return new TestAbortedException("needs " + what
                + (debian == null ? "" : "; on Debian: apt-get install " + debian)
                + (npm == null ? "" : "; with npm: npm install --global " + npm));
    }

    private static List<String> find(String name) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(Stream.of(path.split(File.pathSeparator)), Stream.of("/usr/bin"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .map(Path::toString)
                .distinct()
                .toList();
    }
}
