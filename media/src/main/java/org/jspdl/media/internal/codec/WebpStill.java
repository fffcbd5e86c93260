package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.natives.Scratch;

/// Makes the first picture of an animated WebP file a file of its own, which FFmpeg's decoder can read.
final class WebpStill implements AutoCloseable {
    private static final ValueLayout.OfInt LITTLE = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int HEADER = 30;
    private static final byte ALPHA = 0x10;

    private final Scratch memory = new Scratch();

    /// The file of the picture whose chunks are `header.picture`; valid until the next call.
    MemorySegment of(MemorySegment encoded, ImageHeader header) {
        int height = header.height - 1;
        MemorySegment chunks = header.picture.of(encoded);
        MemorySegment file = memory.atLeast(HEADER + chunks.byteSize()).asSlice(0, HEADER + chunks.byteSize());
        text(file, 0, "RIFF");
        file.set(LITTLE, 4, (int) (file.byteSize() - 8));
        text(file, 8, "WEBPVP8X");
        file.set(LITTLE, 16, 10);
        file.set(LITTLE, 20, header.channels == 4 ? ALPHA : 0);
        file.set(LITTLE, 24, (header.width - 1) | ((height & 0xFF) << 24));
        file.set(ValueLayout.JAVA_BYTE, 28, (byte) (height >> 8));
        file.set(ValueLayout.JAVA_BYTE, 29, (byte) (height >> 16));
        file.asSlice(HEADER).copyFrom(chunks);
        return file;
    }

    private static void text(MemorySegment file, long at, String text) {
        MemorySegment.copy(text.getBytes(StandardCharsets.US_ASCII), 0, file, ValueLayout.JAVA_BYTE, at, text.length());
    }

    @Override
    public void close() {
        memory.close();
    }
}
