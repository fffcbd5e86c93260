package org.jspdl.providers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProvidersTest {
    private static final String ENTRY = "META-INF/services/" + Greeting.class.getName();

    @TempDir
    private Path folder;

    /// A service.
    public interface Greeting {}

    /// A provider.
    public static final class Hello implements Greeting {}

    /// Another.
    public static final class Goodbye implements Greeting {}

    @Test
    void providersOfTheNamedJarsAndFoldersAreMadeInTheirOrderAndOnce() throws IOException {
        Path folderOfClasses = folder.resolve("classes");
        Files.createDirectories(folderOfClasses.resolve("META-INF/services"));
        Files.writeString(folderOfClasses.resolve(ENTRY), Hello.class.getName() + "\n");
        String jars = String.join(
                File.pathSeparator,
                jar("a.jar", "# first\n\n  " + Goodbye.class.getName() + " # both\n")
                        .toString(),
                jar("none.jar", "").toString(),
                folderOfClasses.toString(),
                jar("again.jar", Hello.class.getName()).toString());

        List<Greeting> found = Providers.of(Greeting.class, ServiceLoader.load(Greeting.class), jars);

        assertThat(found).hasExactlyElementsOfTypes(Goodbye.class, Hello.class);
    }

    @Test
    void withoutJarsTheyAreThoseOfTheServiceLoader() {
        List<ToolLike> found = Providers.of(ToolLike.class, ServiceLoader.load(ToolLike.class), "");

        assertThat(found).isEmpty();
        assertThat(Providers.of(
                        java.util.spi.ToolProvider.class,
                        ServiceLoader.load(java.util.spi.ToolProvider.class),
                        "any.jar"))
                .as("services of named modules, which provide them")
                .hasSameSizeAs(ServiceLoader.load(java.util.spi.ToolProvider.class).stream()
                        .toList())
                .isNotEmpty();
    }

    /// A service without providers.
    public interface ToolLike {}

    @Test
    void aProviderThatIsNotThereOrOfAnotherTypeIsAnErrorThatNamesIt() throws IOException {
        String missing = jar("missing.jar", "org.example.Missing").toString();
        String other = jar("other.jar", String.class.getName()).toString();

        assertThatThrownBy(() -> Providers.of(Greeting.class, ServiceLoader.load(Greeting.class), missing))
                .isInstanceOf(ServiceConfigurationError.class)
                .hasMessageContaining("org.example.Missing");
        assertThatThrownBy(() -> Providers.of(Greeting.class, ServiceLoader.load(Greeting.class), other))
                .isInstanceOf(ServiceConfigurationError.class)
                .hasMessageContaining("java.lang.String");
    }

    @Test
    void aJarThatIsNoneIsAnErrorThatNamesIt() throws IOException {
        Path text = Files.writeString(folder.resolve("text.jar"), "no jar");

        assertThatThrownBy(() -> Providers.of(Greeting.class, ServiceLoader.load(Greeting.class), text.toString()))
                .isInstanceOf(ServiceConfigurationError.class)
                .hasMessageContaining(text.toString());
    }

    private Path jar(String name, String services) throws IOException {
        Path jar = folder.resolve(name);
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.putNextEntry(new ZipEntry(services.isEmpty() ? "nothing" : ENTRY));
            zip.write(services.getBytes(StandardCharsets.UTF_8));
            zip.closeEntry();
        }
        return jar;
    }
}
