package org.jspdl.data.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspdl.data.dataset.Manifest;
import org.jspdl.data.storage.Storage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Mapped texts and tokens of which the file is truncated after they were opened are errors that name it.
class ShortenedTextTest {
    private static final int ROWS = 20_000;

    @TempDir
    Path folder;

    private static void shorten(Path file) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(9_000);
        }
    }

    private static String message(Path file) {
        return "cannot read " + file + ": it became shorter while it was read: 9,000 of ";
    }

    @Test
    void rowsOfATextAndOfAManifest() throws Exception {
        String text = "name,label\n" + "a.jpg,1\n".repeat(ROWS);
        Path file = Files.writeString(folder.resolve("a.csv"), text);
        try (Storage storage = Storage.open();
                TextRows lines = TextRows.lines(storage, file.toString());
                Manifest manifest = Manifest.open(storage, file.toString())) {
            assertThat(lines.get(ROWS)).isEqualTo("a.jpg,1");
            shorten(file);
            for (long row : new long[] {ROWS - 1, 9_001 / 8, 1}) {
                assertThatThrownBy(() -> lines.get(row))
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith(message(file));
                assertThatThrownBy(() -> manifest.get(row))
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith(message(file));
            }
        }
    }

    @Test
    void sequencesOfTokens() throws Exception {
        Path file = folder.resolve("tokens");
        try (TokenFileWriter writer = TokenFileWriter.create(file, 50_000)) {
            for (int i = 0; i < ROWS; i++) {
                writer.add(new int[] {i, i + 1, i + 2});
            }
            writer.finish();
        }
        try (TokenFile tokens = TokenFile.open(file)) {
            assertThat(tokens.sequences(3).get(ROWS - 1).tokens()).containsExactly(ROWS - 1, ROWS, ROWS + 1);
            TokenPieces pieces = tokens.pieces(8);
            shorten(file);
            for (long row : new long[] {ROWS - 1, 9_000 / 6, 0}) {
                assertThatThrownBy(() -> tokens.sequences(3).get(row))
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessageStartingWith(message(file));
                assertThatThrownBy(() -> pieces.get(row))
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessageStartingWith(message(file));
            }
            assertThatThrownBy(() -> tokens.pieces(8)).hasMessageStartingWith(message(file));
        }
    }
}
