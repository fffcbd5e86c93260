package org.jspdl.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NamedTypesTest {
    static List<Path> documents() {
        return Stream.of("ARCHITECTURE.md", "CONCURRENCY.md", "CONTRIBUTING.md", "SECURITY.md")
                .map(PackageArrowsTest.ROOT::resolve)
                .filter(Files::exists)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyTypeThatADocumentNamesExists(Path document) throws IOException {
        List<ClassUse> ours = new ArrayList<>(ClassUse.compiledBelow(PackageArrowsTest.ROOT, "classes"));
        ours.addAll(ClassUse.compiledBelow(PackageArrowsTest.ROOT, "test-classes"));
        NamedTypes types = new NamedTypes(ours);

        assertThat(types.unknownIn(Files.readString(document))).isEmpty();
    }

    @Test
    void namesThatMeanNothingAreFound() throws IOException {
        NamedTypes types = new NamedTypes(List.of(
                new ClassUse("org.jspdl.memory.Pool", true, Set.of()),
                new ClassUse("org.jspdl.memory.Pool$Block", false, Set.of())));

        assertThat(types.unknownIn("`Pool`, `Block.size()`, `org.jspdl.memory`, `Optional<Pool>`, `AutoCloseable`"))
                .isEmpty();
        assertThat(types.unknownIn("`PageScanner`, `org.jspdl.memory.Slab`, `List<Gone>`, Prose"))
                .containsExactly("PageScanner", "org.jspdl.memory.Slab", "Gone");
        assertThat(types.unknownIn("`README.md`, `./mvnw -Dformat=apply`, `src/Foo.java`, `UPPER`"))
                .isEmpty();
    }
}
