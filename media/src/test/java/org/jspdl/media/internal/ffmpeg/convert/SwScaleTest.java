package org.jspdl.media.internal.ffmpeg.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.jspdl.media.internal.ffmpeg.PixelFormat;
import org.junit.jupiter.api.Test;

class SwScaleTest {
    private static final int WIDTH = 62;
    private static final int HEIGHT = 46;
    private static final int STRIDE = 256;
    private static final int[] BEFORE = {
        PixelFormat.GRAY8,
        PixelFormat.GRAY16_LE,
        PixelFormat.RGB24,
        PixelFormat.RGBA,
        PixelFormat.YUV420P,
        PixelFormat.YUV444P
    };

    private static final int[] AFTER = {PixelFormat.GBRP, PixelFormat.GRAY8, PixelFormat.YUVJ420P, PixelFormat.YUVJ444P
    };

    @Test
    void aContextThatIsMadeInPlaceOfAnotherConvertsAsAFreshOneDoes() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment planes = arena.allocate(3 * STRIDE * HEIGHT, 64);
            SplittableRandom random = new SplittableRandom(1);
            for (long i = 0; i < planes.byteSize(); i++) {
                planes.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt(256));
            }
            for (int into : AFTER) {
                byte[] fresh = converted(MemorySegment.NULL, into, planes, arena);
                for (int from : BEFORE) {
                    for (int to : AFTER) {
                        MemorySegment other = SwScale.context(MemorySegment.NULL, WIDTH / 2, HEIGHT / 2, from, to);
                        assertThat(converted(other, into, planes, arena))
                                .as("to %d, after %d to %d", into, from, to)
                                .isEqualTo(fresh);
                    }
                }
            }
        }
    }

    /// What becomes of luminance and chroma of half the size, by a context that is made in place of `before`.
    private static byte[] converted(MemorySegment before, int into, MemorySegment planes, Arena arena) {
        MemorySegment context = SwScale.context(before, WIDTH, HEIGHT, PixelFormat.YUV420P, into);
        MemorySegment target = arena.allocate(3 * STRIDE * HEIGHT, 64);
        int rows = SwScale.convert(
                context, pointers(planes, arena), strides(arena), HEIGHT, pointers(target, arena), strides(arena));
        SwScale.free(context);
        assertThat(rows).isEqualTo(HEIGHT);
        return target.toArray(ValueLayout.JAVA_BYTE);
    }

    private static MemorySegment pointers(MemorySegment planes, Arena arena) {
        MemorySegment pointers = arena.allocate(32, 8);
        for (int p = 0; p < 3; p++) {
            pointers.set(ValueLayout.JAVA_LONG, 8L * p, planes.address() + (long) p * STRIDE * HEIGHT);
        }
        return pointers;
    }

    private static MemorySegment strides(Arena arena) {
        return arena.allocateFrom(ValueLayout.JAVA_INT, STRIDE, STRIDE, STRIDE, 0);
    }
}
