package org.jspdl.pipeline.parity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/// The table of SPDL's behaviors names tests that exist.
class SpdlTableTest {
    private static final Path TABLE = Path.of("../docs/reference/spdl.md");
    private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| .+ \\| (same|different: ).* \\| (`.*`) \\|");
    private static final Pattern NAMED = Pattern.compile("`(\\w+)\\.(\\w+)`");
    private static final List<String> PACKAGES =
            List.of("", "parity.", "internal.compute.", "internal.link.", "internal.stage.");

    @Test
    void everyBehaviorIsSameOrDifferentOnPurposeAndHasATest() throws IOException {
        List<String> unknown = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        for (String line : Files.readAllLines(TABLE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                numbers.add(Integer.parseInt(row.group(1)));
                NAMED.matcher(row.group(3))
                        .results()
                        .filter(test -> !isTest(test.group(1), test.group(2)))
                        .forEach(test -> unknown.add(test.group()));
            } else {
                assertThat(line).doesNotMatch("\\| \\d+ .*");
            }
        }

        assertThat(unknown).isEmpty();
        assertThat(numbers)
                .hasSizeGreaterThanOrEqualTo(93)
                .isEqualTo(Stream.iterate(1, n -> n + 1).limit(numbers.size()).toList());
    }

    private static boolean isTest(String type, String method) {
        for (String place : PACKAGES) {
            try {
                for (Method each :
                        Class.forName("org.jspdl.pipeline." + place + type).getDeclaredMethods()) {
                    if (each.getName().equals(method)) {
                        return each.isAnnotationPresent(Test.class)
                                || each.isAnnotationPresent(ParameterizedTest.class);
                    }
                }
            } catch (ClassNotFoundException elsewhere) {
                // It is in another package.
            }
        }
        return false;
    }
}
