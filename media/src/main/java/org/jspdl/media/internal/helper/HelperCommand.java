package org.jspdl.media.internal.helper;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspdl.media.internal.natives.CacheFolder;

/// How a helper is started: a small JVM with the classes of this one.
///
/// @param mainClass what it runs; it calls [HelperServer#serve]
/// @param classes   one class of each place that it needs beside
/// @param resource  a resource that it needs, if it is there
/// @param arguments for the main class, after the path of the shared memory
/// @param tuning    options of its JVM
public record HelperCommand(
        Class<?> mainClass, List<Class<?>> classes, String resource, List<String> arguments, List<String> tuning) {
    /// For a helper that runs little Java: quick to start, and small.
    public static final List<String> SMALL =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss512k", "-Xmx64m", "-XX:-UsePerfData");
    /// For a helper that converts in Java what it has decoded: its loops are compiled as well as those of its
    /// caller.
    public static final List<String> COMPILED = List.of("-XX:+UseSerialGC", "-Xss512k", "-Xmx256m", "-XX:-UsePerfData");
    /// Its standard output is for answers alone.
    private static final List<String> QUIET = List.of(
            "-XX:+SuppressFatalErrorMessage",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:+DisplayVMOutputToStderr",
            "-Xlog:disable",
            "-Xlog:all=error:stderr");
    /// Variables from which a JVM takes options, which are not meant for helpers.
    private static final List<String> OPTIONS = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");
    /// A file without content.
    static final File NOTHING = new File("/dev/null");
    /// A status above this one is that of a process that a signal has ended.
    static final int SIGNALED = 128;

    public HelperCommand {
        classes = List.copyOf(classes);
        arguments = List.copyOf(arguments);
        tuning = List.copyOf(tuning);
    }

    /// A small one.
    public HelperCommand(Class<?> mainClass, List<Class<?>> classes, String resource, List<String> arguments) {
        this(mainClass, classes, resource, arguments, SMALL);
    }

    /// A new process, whose standard input and output are the caller's to use.
    Process start(Path shared, StartCache cache) throws IOException {
        List<String> words = words(shared);
        words.addAll(1, cache.options());
        return builder(words).start();
    }

    static ProcessBuilder builder(List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(Redirect.DISCARD);
        OPTIONS.forEach(builder.environment()::remove);
        return builder;
    }

    /// What makes it start faster, in the user's cache folder.
    StartCache cache() {
        List<Path> places = new ArrayList<>();
        for (String path : modulePath().isEmpty() ? List.of(classPath()) : List.of(modulePath(), userClassPath())) {
            for (String place : path.split(File.pathSeparator)) {
                if (!place.isEmpty()) {
                    places.add(Path.of(place));
                }
            }
        }
        List<String> fixed = words(Path.of("shared"));
        fixed.removeIf(word -> word.startsWith("-D"));
        return StartCache.of(fixed, places, CacheFolder.of("helpers"));
    }

    private String modulePath() {
        return mainClass.getModule().isNamed() ? System.getProperty("jdk.module.path", "") : "";
    }

    private static String userClassPath() {
        return System.getProperty("java.class.path", "");
    }

    /// The command line.
    List<String> words(Path shared) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(tuning);
        words.addAll(QUIET);
        for (Map.Entry<Object, Object> each : System.getProperties().entrySet()) {
            if (each.getKey().toString().startsWith("jspdl.")) {
                words.add("-D" + each.getKey() + "=" + each.getValue());
            }
        }
        Module module = mainClass.getModule();
        if (module.isNamed()) {
            words.add("--enable-native-access=" + module.getName());
            words.add("--module-path=" + modulePath());
            words.add("--add-modules=ALL-MODULE-PATH");
            words.add("--class-path=" + userClassPath());
            words.add("--module=" + module.getName() + "/" + mainClass.getName());
        } else {
            words.add("--enable-native-access=ALL-UNNAMED");
            words.add("--class-path=" + classPath());
            words.add(mainClass.getName());
        }
        words.add(shared.toString());
        words.addAll(arguments);
        return words;
    }

    /// Only what is needed: a JVM opens all of its class path.
    private String classPath() {
        Set<String> places = new LinkedHashSet<>();
        addPlace(mainClass, places);
        classes.forEach(each -> addPlace(each, places));
        URL found = ClassLoader.getSystemResource(resource);
        try {
            if (found != null && found.openConnection() instanceof JarURLConnection jar) {
                places.add(path(jar.getJarFileURL()));
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + found, unreadable);
        }
        return String.join(File.pathSeparator, places);
    }

    private static void addPlace(Class<?> each, Set<String> places) {
        CodeSource source = each.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            throw new IllegalStateException(each.getName() + " comes from nowhere that a helper process could read");
        }
        places.add(path(source.getLocation()));
    }

    private static String path(URL url) {
        try {
            return Path.of(url.toURI()).toString();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException("not a file: " + url, impossible);
        }
    }
}
