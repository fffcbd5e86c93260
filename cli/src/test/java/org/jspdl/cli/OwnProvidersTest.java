package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/// What launchers rely on that name our own jars in `jspdl.providers`.
class OwnProvidersTest {
    @Test
    void noJarOfAnotherProjectHasProvidersOfOurs() throws Exception {
        List<String> others = new ArrayList<>();
        int jars = 0;
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path jar = Path.of(each);
            if (!Files.isRegularFile(jar) || jar.getFileName().toString().startsWith("jspdl-")) {
                continue;
            }
            jars++;
            try (ZipFile zip = new ZipFile(jar.toFile())) {
                zip.stream()
                        .filter(entry -> entry.getName().startsWith("META-INF/services/org.jspdl."))
                        .forEach(entry -> others.add(jar + ": " + entry.getName()));
            }
        }

        assertThat(jars).isPositive();
        assertThat(others).isEmpty();
    }
}
