package org.jspdl.data.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspdl.data.shards.Shards;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// No file of a folder comes twice because a link leads to it, and no copy of one that is hidden comes at all.
class LinkedFoldersTest {
    @TempDir
    Path folder;

    private Path root = Path.of("");

    @BeforeEach
    void write() throws IOException {
        root = folder.resolve("root");
        for (String name : List.of("root/monday/a.tar", "root/tuesday/b.tar", "else/c.tar")) {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, name);
        }
    }

    private List<String> listed() throws IOException {
        try (Storage storage = Storage.open();
                Stream<ListedObject> all = storage.list(Location.of(root))) {
            return all.map(each ->
                            each.location().text().substring(root.toString().length() + 1))
                    .toList();
        } catch (UncheckedIOException refused) {
            throw refused.getCause();
        }
    }

    private List<String> shards(String pattern) throws IOException {
        try (Storage storage = Storage.open()) {
            return Shards.locations(storage, Location.of(root + pattern)).stream()
                    .map(each -> each.text().substring(root.toString().length()))
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({"latest, .", "latest, tuesday", "monday/up, ..", "monday/far, ../..", "latest, ../root/monday"})
    void aLinkToWhatIsListedAnywayIsRefusedByName(String link, Path target) throws IOException {
        Files.createSymbolicLink(root.resolve(link), target);

        assertThatThrownBy(this::listed)
                .isInstanceOf(StorageException.class)
                .hasMessageContaining(root.resolve(link).toString())
                .hasMessageContaining("would come twice");
        for (String pattern : List.of("", "/**/*.tar")) {
            assertThatThrownBy(() -> shards(pattern))
                    .as(pattern)
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("would come twice");
        }
    }

    @Test
    void foldersElsewhereAreFollowedOnce() throws IOException {
        Files.createSymbolicLink(root.resolve("other"), folder.resolve("else"));
        assertThat(listed()).containsExactly("monday/a.tar", "other/c.tar", "tuesday/b.tar");

        Files.createSymbolicLink(root.resolve("zoo"), Path.of("../else"));
        assertThatThrownBy(this::listed)
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("zoo")
                .hasMessageContaining("would come twice");
    }

    @Test
    void theFolderThatIsNamedMayBeALink() throws IOException {
        Files.createSymbolicLink(folder.resolve("link"), root);
        root = folder.resolve("link");
        assertThat(listed()).containsExactly("monday/a.tar", "tuesday/b.tar");
        Files.createSymbolicLink(folder.resolve("root/latest"), Path.of("monday"));
        assertThatThrownBy(this::listed).hasMessageContaining("would come twice");
    }

    @Test
    void hiddenShardsAreThoseOfNobodyUnlessTheyAreNamed() throws IOException {
        for (String name : List.of("monday/._a.tar", ".tuesday.tar", ".trash/a.tar", "tuesday/.old/deep/b.tar")) {
            Path file = root.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "left by a program");
        }

        for (String pattern : List.of("", "/", "/**/*.tar", "/./")) {
            assertThat(shards(pattern))
                    .as(pattern)
                    .extracting(name -> name.replace("/./", "/"))
                    .containsExactly("/monday/a.tar", "/tuesday/b.tar");
        }
        assertThat(shards("/monday/._*.tar")).containsExactly("/monday/._a.tar");
        assertThat(shards("/.trash/*.tar")).containsExactly("/.trash/a.tar");
    }
}
