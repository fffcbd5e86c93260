package org.jspdl.data.internal.text;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The lines of a text in UTF-8, one after the other; whatever ends them: LF, CR, or both. One thread.
public final class TextLines {
    /// A longer line is no path.
    private static final int LONGEST = 1 << 20;

    private final MemorySegment text;
    private long next;

    /// The lines of `text`, which stays the caller's.
    public TextLines(MemorySegment text) {
        this.text = text;
    }

    /// The next line without its end; null after the last.
    ///
    /// @throws CharacterCodingException if it is not UTF-8
    /// @throws IOException              if it is longer than a line may be
    public @Nullable String next() throws IOException {
        if (next >= text.byteSize()) {
            return null;
        }
        long begin = next;
        long end = begin;
        while (end < text.byteSize() && at(end) != '\n' && at(end) != '\r') {
            if (++end - begin > LONGEST) {
                throw new IOException(
                        "the line that begins at byte " + begin + " is longer than " + LONGEST + " bytes");
            }
        }
        next = end + (end + 1 < text.byteSize() && at(end) == '\r' && at(end + 1) == '\n' ? 2 : 1);
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(text.asSlice(begin, end - begin).asByteBuffer())
                .toString();
    }

    private byte at(long index) {
        return text.get(ValueLayout.JAVA_BYTE, index);
    }
}
