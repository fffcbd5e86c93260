package org.jspdl.data.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.jspdl.data.storage.Storage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextRowsTest {
    private static final Storage STORAGE = Storage.open();

    @TempDir
    Path folder;

    @Test
    void linesAndDocumentsAreFoundByTheirIndex() throws Exception {
        String file = write("\none\r\n \"two\n\n\nthree ü\nfour");
        try (TextRows lines = TextRows.lines(STORAGE, file);
                TextRows documents = TextRows.documents(STORAGE, file)) {
            assertThat(all(lines)).containsExactly("one", " \"two", "three ü", "four");
            assertThat(all(documents)).containsExactly("one\r\n \"two", "three ü\nfour");
            assertThatThrownBy(() -> lines.get(4)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void windowsLineBreaksSeparateDocumentsToo() throws Exception {
        try (TextRows documents = TextRows.documents(STORAGE, write("a\r\nb\r\n\r\nc\r\n"))) {
            assertThat(all(documents)).containsExactly("a\r\nb", "c");
        }
    }

    @Test
    void manyLinesAreFoundFromTheNearestKeptPlace() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 1_000; i++) {
            text.append("line ").append(i).append('\n');
        }
        try (TextRows lines = TextRows.lines(STORAGE, write(text.toString()))) {
            assertThat(lines.get(999)).isEqualTo("line 999");
            assertThat(lines.get(16)).isEqualTo("line 16");
            assertThat(lines.get(15)).isEqualTo("line 15");
        }
    }

    @Test
    void whatIsNotUtf8FailsAlone() throws Exception {
        Path file = Files.write(folder.resolve("bytes"), new byte[] {'a', '\n', (byte) 0xC3, '\n'});
        try (TextRows lines = TextRows.lines(STORAGE, file.toString())) {
            assertThat(lines.get(0)).isEqualTo("a");
            assertThatThrownBy(() -> lines.get(1))
                    .hasMessageContaining("text 2")
                    .hasMessageContaining("UTF-8");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "Grüße, 世界 🌍", "\u0000\n"})
    void bytesAreTokensAndBack(String text) {
        ByteTokenizer tokenizer = new ByteTokenizer();
        int[] tokens = tokenizer.encode(text);
        assertThat(tokens).hasSize(text.getBytes(StandardCharsets.UTF_8).length);
        assertThat(java.util.Arrays.stream(tokens)).allMatch(token -> token < 256);
        assertThat(tokenizer.decode(tokens)).isEqualTo(text);
        assertThat(tokenizer.decode(new int[] {97, ByteTokenizer.END_OF_DOCUMENT, 98}))
                .isEqualTo("ab");
        assertThatThrownBy(() -> tokenizer.decode(new int[] {257})).hasMessageContaining("257");
    }

    @Test
    void halfOfASurrogatePairHasNoBytes() {
        assertThatThrownBy(() -> new ByteTokenizer().encode("\uD83D\uDE00 \uD83D!"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the text is no Unicode: character 3 is U+D83D, half of a pair");
    }

    private static java.util.List<String> all(TextRows rows) {
        return LongStream.range(0, rows.size())
                .mapToObj(index -> {
                    try {
                        return rows.get(index);
                    } catch (java.io.IOException failure) {
                        throw new java.io.UncheckedIOException(failure);
                    }
                })
                .toList();
    }

    private String write(String text) throws Exception {
        return Files.writeString(folder.resolve("text"), text).toString();
    }
}
