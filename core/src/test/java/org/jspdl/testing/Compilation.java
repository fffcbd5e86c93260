package org.jspdl.testing;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/// Compiles programs over the class path of the tests, all by one call of the compiler, which is slow to start.
public final class Compilation {
    /// The beginning of a complaint, such as `/folder/Name.java:7: error: ...`.
    private static final Pattern PLACE = Pattern.compile(".*?([^/]+\\.java):\\d+: error: .*");

    private Compilation() {}

    /// Compiles `sources`, whose keys are names of files, in `folder`.
    ///
    /// @return what the compiler objects to, by the names of files; files without errors are not in it
    public static Map<String, String> errors(Path folder, Map<String, String> sources) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-d",
                folder.resolve("classes").toString(),
                "-cp",
                System.getProperty("java.class.path")));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = folder.resolve(source.getKey());
            Files.writeString(file, source.getValue());
            arguments.add(file.toString());
        }
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output);
        int code = ToolProvider.findFirst("javac").orElseThrow().run(writer, writer, arguments.toArray(String[]::new));
        Map<String, String> errors = new TreeMap<>();
        String file = "the compiler itself";
        for (String line : output.toString().lines().toList()) {
            Matcher place = PLACE.matcher(line);
            file = place.matches() ? place.group(1) : file;
            errors.merge(file, line, (before, next) -> before + System.lineSeparator() + next);
        }
        return code == 0 ? Map.of() : errors;
    }
}
