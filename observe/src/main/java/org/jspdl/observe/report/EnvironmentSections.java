package org.jspdl.observe.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspdl.observe.report.Section.Figure;

/// Where a run ran, and which version of JSPDL it was. Immutable.
public final class EnvironmentSections {
    private static final Path HOST = Path.of("/proc/sys/kernel/hostname");

    private EnvironmentSections() {}

    /// The sections of this process.
    public static List<Section> of() {
        List<Figure> figures = List.of(
                word("host", host()),
                word("system", property("os.name") + " " + property("os.version") + ", " + property("os.arch")),
                Figure.json("processors", new Value.Count(Runtime.getRuntime().availableProcessors())),
                Figure.json(
                        "heap_limit_bytes", new Value.Bytes(Runtime.getRuntime().maxMemory())),
                word("java", Runtime.version() + ", " + property("java.vm.name")),
                word("jspdl", version()));
        return List.of(new Section.Figures("environment", "", figures), Section.details("Environment", figures));
    }

    private static Figure word(String key, String word) {
        return Figure.json(key, new Value.Words(word));
    }

    private static String property(String name) {
        return System.getProperty(name, "unknown");
    }

    /// Without asking the network, which may take seconds.
    private static String host() {
        try {
            return Files.readString(HOST).strip();
        } catch (IOException notLinux) {
            return Objects.requireNonNullElse(System.getenv("COMPUTERNAME"), "unknown");
        }
    }

    private static String version() {
        return Objects.requireNonNullElse(
                EnvironmentSections.class.getPackage().getImplementationVersion(), "(unpacked)");
    }
}
