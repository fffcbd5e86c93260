package org.jspdl.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.ValueSource;

/// Whether a build runs all tests of the Python package.
class PythonModulesTest {
    /// Needs Lightning and the Trainer of Hugging Face, as `python/with-trainers` has them.
    private static final String BY_HAND = "test_trainers";

    @Test
    void eachModuleOfTestsIsRunByOneOfTheClasses() throws IOException {
        List<String> run = Stream.of(
                        PythonTest.class, PythonDataTest.class, PythonEndsTest.class, PythonFunctionsTest.class)
                .flatMap(kind -> Stream.of(kind.getDeclaredMethods()))
                .map(method -> method.getAnnotation(ValueSource.class))
                .filter(Objects::nonNull)
                .flatMap(source -> Stream.of(source.strings()))
                .sorted()
                .toList();

        try (Stream<Path> files = Files.list(PythonModules.TESTS)) {
            List<String> modules = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("test_") && name.endsWith(".py"))
                    .map(name -> name.substring(0, name.length() - ".py".length()))
                    .filter(name -> !name.equals(BY_HAND))
                    .sorted()
                    .toList();
            assertThat(run).isEqualTo(modules);
        }
    }
}
