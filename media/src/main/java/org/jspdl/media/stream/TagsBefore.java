package org.jspdl.media.stream;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/// Finds where a FLAC file begins behind several ID3v2 tags: FFmpeg skips one, and then does not see what the file is.
final class TagsBefore {
    private static final int HEADER = 10;
    private static final int HAS_FOOTER = 0x10;
    private static final int MOST_TAGS = 16;

    private TagsBefore() {}

    /// Where `fLaC` is behind at least one tag; 0 if it is not.
    static long flacBegin(SourceBytes bytes) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment header = arena.allocate(HEADER);
            long at = 0;
            for (int i = 0; i <= MOST_TAGS && bytes.readAt(at, header) == HEADER; i++) {
                byte[] read = header.toArray(ValueLayout.JAVA_BYTE);
                String text = new String(read, StandardCharsets.ISO_8859_1);
                if (text.startsWith("fLaC")) {
                    return at;
                }
                if (!text.startsWith("ID3")) {
                    return 0;
                }
                long size = (long) HEADER + ((read[5] & HAS_FOOTER) == 0 ? 0 : HEADER);
                for (int b = 0; b < 4; b++) {
                    size += (long) (read[6 + b] & 0x7F) << (7 * (3 - b));
                }
                at += size;
            }
            return 0;
        }
    }
}
