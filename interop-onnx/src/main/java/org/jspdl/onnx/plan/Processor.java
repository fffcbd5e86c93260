package org.jspdl.onnx.plan;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Which arithmetic the processor has. ONNX Runtime chooses the code of sums and products by it, and their last bits
/// differ, so results are equal only where this is.
final class Processor {
    private static final Path FLAGS = Path.of("/proc/cpuinfo");
    /// Instructions for vectors and matrices, as Linux calls them on x86 and ARM.
    private static final Pattern ARITHMETIC =
            Pattern.compile("avx\\w*|amx\\w*|fma4?|f16c|asimd\\w*|sve\\w*|sme\\w*|i8mm|bf16|fphp");

    private Processor() {}

    /// The architecture, and the instructions where the system tells.
    static String arithmetic() {
        String architecture = System.getProperty("os.arch");
        try {
            return architecture + instructions(Files.readAllLines(FLAGS, StandardCharsets.ISO_8859_1));
        } catch (IOException elsewhere) {
            return architecture; // such as macOS, whose processors of one architecture have the same
        }
    }

    /// Those of the first processor, in their order.
    static String instructions(List<String> lines) {
        for (String line : lines) {
            int colon = line.indexOf(':');
            String key = colon < 0 ? "" : line.substring(0, colon).strip();
            if (key.equals("flags") || key.equals("Features")) {
                TreeSet<String> found =
                        new TreeSet<>(List.of(line.substring(colon + 1).strip().split("\\s+")));
                found.removeIf(flag -> !ARITHMETIC.matcher(flag).matches());
                return found.isEmpty() ? "" : " with " + String.join(" ", found);
            }
        }
        return "";
    }
}
