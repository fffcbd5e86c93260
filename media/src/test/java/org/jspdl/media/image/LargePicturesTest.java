package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.media.internal.codec.DecodeMode;
import org.jspdl.media.internal.codec.JpegCodec;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.header.ImageHeaders;
import org.jspdl.media.internal.header.JpegHeader;
import org.jspdl.media.internal.lifetime.LargePictures;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @Test
    void coefficientsThatAreKeptUntilAllScansHaveComeAreCounted() {
        try (Arena arena = Arena.ofConfined()) {
            ImageHeader header = new ImageHeader();
            MemorySegment progressive = progressiveGray(64, arena);
            ImageHeaders.read(progressive, header);
            assertThat(JpegHeader.keptCoefficients(progressive, header)).isEqualTo(64 * 64);

            MemorySegment photograph = TestFiles.load("jpeg/420-progressive-160x120.jpg", arena);
            ImageHeaders.read(photograph, header);
            assertThat(JpegHeader.keptCoefficients(photograph, header)).isEqualTo(160 * 120 * 3 / 2);

            MemorySegment baseline = TestFiles.load("jpeg/gray-97x131.jpg", arena);
            ImageHeaders.read(baseline, header);
            assertThat(JpegHeader.keptCoefficients(baseline, header)).isZero();
        }
        assertThat(LargePictures.coefficientBytes(64 * MEBI)).isEqualTo(256 * MEBI);
    }

    @Test
    void aCodecThatGaveBackLargeCoefficientsTakesMoreForTheNextPicture() {
        try (JpegCodec codec = new JpegCodec();
                Arena arena = Arena.ofConfined()) {
            byte[] file = progressiveGray(1984, arena).toArray(ValueLayout.JAVA_BYTE);
            JpegPlanes first = JpegPlanes.of(codec, file, 1, DecodeMode.STRICT);
            assertThat(first.refusal()).isEmpty();
            assertThat(JpegPlanes.of(codec, file, 1, DecodeMode.STRICT).difference(first))
                    .isEmpty();
        }
    }

    /// 16 threads, of which 2 may decode 64 megapixels at once, and nothing kept by those that did; progressive
    /// JPEG with all of its coefficients, or only those that a small picture needs.
    @ParameterizedTest
    @ValueSource(strings = {"bmp", "progressive", "progressive at an eighth"})
    @Tag("slow")
    void sixteenWorkersWithPicturesOf64MegapixelsStayWithinTheirRoom(String kind) throws Exception {
        int side = 8192;
        AtomicLong most = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        ImageSpec small = ImageSpec.exact(32, 32);
        try (ImageDecoder decoder =
                        ImageDecoder.create(kind.equals("progressive") ? small.quality(Quality.EXACT) : small);
                Arena arena = Arena.ofShared()) {
            MemorySegment file = kind.equals("bmp") ? gray(side, arena) : progressiveGray(side, arena);
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

    /// A progressive JPEG file of one gray: all of its codes are zeros.
    private static MemorySegment progressiveGray(int side, Arena arena) {
        int blocks = side / 8 * (side / 8);
        byte[] ones = new byte[64];
        Arrays.fill(ones, (byte) 1);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(HexFormat.of().parseHex("ffd8ffdb004300"));
        file.writeBytes(ones);
        file.writeBytes(HexFormat.of().parseHex(String.format("ffc2000b08%04x%04x01011100", side, side)));
        // codes of one bit: no difference of DC; and 16,384 blocks without AC coefficients and 14 bits for more
        file.writeBytes(HexFormat.of().parseHex("ffc4001400" + "01" + "00".repeat(15) + "00"));
        file.writeBytes(HexFormat.of().parseHex("ffc4001410" + "01" + "00".repeat(15) + "e0"));
        file.writeBytes(HexFormat.of().parseHex("ffda0008010100000000"));
        file.writeBytes(new byte[Math.ceilDiv(blocks, 8)]);
        file.writeBytes(HexFormat.of().parseHex("ffda00080101" + "00013f00"));
        file.writeBytes(new byte[Math.ceilDiv(Math.ceilDiv(blocks, 1 << 14) * 15, 8)]);
        file.writeBytes(HexFormat.of().parseHex("ffd9"));
        return TestFiles.toNative(file.toByteArray(), arena);
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
