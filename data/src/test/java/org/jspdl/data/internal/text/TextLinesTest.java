package org.jspdl.data.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextLinesTest {
    private static List<String> lines(byte[] text) throws IOException {
        TextLines lines = new TextLines(MemorySegment.ofArray(text));
        List<String> all = new ArrayList<>();
        for (String line = lines.next(); line != null; line = lines.next()) {
            all.add(line);
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "\n", "a", "a\n", "a\r\nb", "a\rb\r", "\r\n\r\n", "a\n\rb", "é\n\u2028\n", "a\n\n\nb\n"})
    void linesAreThoseOfTheStandardLibrary(String text) throws IOException {
        assertThat(lines(text.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(text.lines().toList());
    }

    @Test
    void aLineWithoutAnEndIsRefusedBeforeItIsTakenIntoTheHeap() {
        assertThatThrownBy(() -> lines(new byte[(1 << 20) + 2]))
                .isInstanceOf(IOException.class)
                .hasMessage("the line that begins at byte 0 is longer than 1048576 bytes");
    }

    @Test
    void whatIsNoTextIsRefused() {
        assertThatThrownBy(() -> lines(new byte[] {'a', '\n', (byte) 0xC3, '\n'}))
                .isInstanceOf(CharacterCodingException.class);
    }
}
