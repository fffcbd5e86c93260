package org.jspdl.media.stream;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Finds where the sound of an MP3 file, or of another bare sound, ends: before the tags that writers put behind it,
/// which are ID3v1, its extension, Lyrics3, APE with and without a header, and ID3v2 with a footer. FFmpeg knows of the
/// first only, and that of MP3 only; it takes an MP3 file that is larger than its header says for several put together,
/// whose padding is sound, and other tags for damaged sound.
///
/// A tag is one if both its ends are where they should be; all else stays sound. At most some kilobytes are read.
final class TagsBehind {
    private static final int ID3V1 = 128;
    private static final int ID3V1_EXTENSION = 227;
    private static final int APE_END = 32;
    private static final int APE_HAS_HEADER = 0x8000_0000;
    private static final int APE_IS_HEADER = 0x2000_0000;
    private static final int ID3V2_END = 10;
    private static final int LYRICS_LINE = 15;
    private static final int MOST_LYRICS = 5100 + 20;
    private static final int MOST_TAGS = 16;

    /// A sixteenth of a sound that is smaller may be less than an ID3v1 tag.
    private static final int SMALL_SOUND = 1 << 13;

    private final SourceBytes bytes;

    private TagsBehind(SourceBytes bytes) {
        this.bytes = bytes;
    }

    /// Where FFmpeg should take the file to end: before all tags, or at its end if there are none that matter.
    ///
    /// @param isMp3 whether FFmpeg knows of ID3v1
    static long soundEnd(SourceBytes bytes, boolean isMp3) throws IOException {
        long size = bytes.byteSize();
        TagsBehind tags = new TagsBehind(bytes);
        long end = tags.endBefore(size);
        boolean isHarmless = isMp3 && size - end == ID3V1 && end >= SMALL_SOUND && tags.isAt(end, "TAG");
        return end <= 0 || isHarmless ? size : end;
    }

    private long endBefore(long size) throws IOException {
        long end = size;
        for (int i = 0; i < MOST_TAGS; i++) {
            long tag = tagBefore(end, end == size);
            if (tag <= 0 || tag > end) {
                break;
            }
            end -= tag;
        }
        return end;
    }

    /// How many bytes the tag has that ends at `end`; 0 if there is none.
    private long tagBefore(long end, boolean isLast) throws IOException {
        if (isLast && isAt(end - ID3V1, "TAG")) {
            return isAt(end - ID3V1 - ID3V1_EXTENSION, "TAG+") ? ID3V1 + ID3V1_EXTENSION : ID3V1;
        }
        byte[] last = at(end - APE_END, APE_END);
        if (last.length == 0) {
            return 0;
        }
        String text = new String(last, StandardCharsets.ISO_8859_1);
        if (text.startsWith("APETAGEX")) {
            return ape(end, ByteBuffer.wrap(last).order(ByteOrder.LITTLE_ENDIAN));
        }
        if (text.endsWith("LYRICS200")) {
            return lyrics(end, text.substring(APE_END - LYRICS_LINE, APE_END - 9));
        }
        if (text.endsWith("LYRICSEND")) {
            return oldLyrics(end);
        }
        return text.startsWith("3DI", APE_END - ID3V2_END) ? id3v2(end, last) : 0;
    }

    private long ape(long end, ByteBuffer footer) throws IOException {
        long size = Integer.toUnsignedLong(footer.getInt(12));
        int flags = footer.getInt(20);
        if (size < APE_END || size > end || (flags & APE_IS_HEADER) != 0) {
            return 0;
        }
        if (isAt(end - size - APE_END, "APETAGEX")) {
            return size + APE_END;
        }
        return (flags & APE_HAS_HEADER) == 0 ? size : 0;
    }

    private long lyrics(long end, String digits) throws IOException {
        if (!digits.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
            return 0;
        }
        int size = Integer.parseInt(digits) + LYRICS_LINE;
        return isAt(end - size, "LYRICSBEGIN") ? size : 0;
    }

    /// Lyrics3 before its second version does not tell its size.
    private long oldLyrics(long end) throws IOException {
        int most = (int) Math.min(end, MOST_LYRICS);
        int begin = new String(at(end - most, most), StandardCharsets.ISO_8859_1).lastIndexOf("LYRICSBEGIN");
        return begin < 0 ? 0 : most - begin;
    }

    private long id3v2(long end, byte[] last) throws IOException {
        long size = 2 * ID3V2_END;
        for (int i = 0; i < 4; i++) {
            int seven = last[APE_END - 4 + i];
            if (seven < 0) {
                return 0;
            }
            size = size + ((long) seven << (7 * (3 - i)));
        }
        return isAt(end - size, "ID3") ? size : 0;
    }

    private boolean isAt(long from, String name) throws IOException {
        return new String(at(from, name.length()), StandardCharsets.ISO_8859_1).equals(name);
    }

    /// Some bytes; none if they are not all there.
    private byte[] at(long from, int count) throws IOException {
        if (from < 0 || count > bytes.byteSize() - from) {
            return new byte[0];
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment into = arena.allocate(count);
            for (int done = 0; done < count; ) {
                int read = bytes.readAt(from + done, into.asSlice(done));
                if (read <= 0) {
                    return new byte[0];
                }
                done += read;
            }
            return into.toArray(ValueLayout.JAVA_BYTE);
        }
    }
}
