package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LargePicturesTest {
    private static final long MEBI = 1L << 20;

    @Test
    void morePicturesThanThereIsRoomForWaitForEachOther() throws Exception {
        LargePictures pictures = new LargePictures();
        AtomicLong most = new AtomicLong();
        CountDownLatch two = new CountDownLatch(2);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            threads.add(Thread.ofPlatform()
                    .start(() -> pictures.run(400 * MEBI, () -> {
                        most.accumulateAndGet(pictures.taken(), Math::max);
                        two.countDown();
                        awaitAll(two);
                    })));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(most.get()).isEqualTo(800 * MEBI);
        assertThat(pictures.taken()).isZero();
    }

    private static void awaitAll(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void aPictureThatTakesMoreThanThereIsHasItToItself() {
        LargePictures pictures = new LargePictures();
        AtomicLong taken = new AtomicLong();

        pictures.run(5 * LargePictures.ROOM, () -> taken.set(pictures.taken()));

        assertThat(taken.get()).isEqualTo(LargePictures.ROOM);
        assertThat(pictures.taken()).isZero();
    }

    @Test
    void aPictureOf64MegapixelsTakesHalfAGibibyteAndAReducedOneLittle() {
        assertThat(LargePictures.bytes(8192, 8192, 8, 1)).isEqualTo(512 * MEBI);
        assertThat(LargePictures.bytes(8192, 8192, 16, 1)).isEqualTo(1024 * MEBI);
        assertThat(LargePictures.bytes(8192, 8192, 8, 8)).isLessThan(LargePictures.SMALL);
        assertThat(LargePictures.bytes(2000, 2000, 8, 1)).isLessThan(LargePictures.SMALL);
    }

    /// 16 threads, of which 2 may decode 64 megapixels at once, and nothing kept by those that did.
    @Test
    @Tag("slow")
    void sixteenWorkersWithPicturesOf64MegapixelsStayWithinTheirRoom() throws Exception {
        int side = 8192;
        AtomicLong most = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        try (ImageDecoder decoder = ImageDecoder.create(ImageSpec.exact(32, 32));
                Arena arena = Arena.ofShared()) {
            MemorySegment file = gray(side, arena);
            touchHeap();
            long before = residentAnonymous();
            long heapBefore = Runtime.getRuntime().totalMemory();
            Thread watch = Thread.ofPlatform().start(() -> {
                while (!over.get()) {
                    most.accumulateAndGet(residentAnonymous(), Math::max);
                    Thread.onSpinWait();
                }
            });
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    try (Arena own = Arena.ofConfined()) {
                        decoder.decodeInto(file, own.allocate(3 * 32 * 32));
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            over.set(true);
            watch.join();
            assertThat(most.get() - before).isLessThan(LargePictures.ROOM + 200 * MEBI);
            long heap = Runtime.getRuntime().totalMemory() - heapBefore;
            // Less than one of them takes: what is left is the allocator's and the compiler's.
            assertThat(residentAnonymous() - before - heap)
                    .isLessThan(LargePictures.bytes(side, side, 8, 1) / 2 + 200 * MEBI);
        }
    }

    /// Writes to the heap that the JVM has reserved already, so that it is not taken for memory of pictures.
    private static void touchHeap() {
        List<byte[]> filled = new ArrayList<>();
        for (long left = Runtime.getRuntime().freeMemory(); left > 0; left -= MEBI) {
            filled.add(new byte[(int) MEBI]);
        }
        assertThat(filled).isNotNull();
    }

    /// A BMP file with a palette.
    private static MemorySegment gray(int side, Arena arena) {
        int header = 54 + 4 * 256;
        MemorySegment file = arena.allocate(header + (long) side * side);
        var fields = file.asSlice(0, header).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        fields.put((byte) 'B')
                .put((byte) 'M')
                .putInt((int) file.byteSize())
                .putInt(0)
                .putInt(header);
        fields.putInt(40).putInt(side).putInt(side).putShort((short) 1).putShort((short) 8);
        fields.putInt(0).putInt(side * side).putInt(0).putInt(0).putInt(256).putInt(0);
        for (int i = 0; i < 256; i++) {
            file.set(ValueLayout.JAVA_INT_UNALIGNED, 54 + 4L * i, i * 0x010101);
        }
        return file;
    }

    private static long residentAnonymous() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("RssAnon:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")) << 10)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
