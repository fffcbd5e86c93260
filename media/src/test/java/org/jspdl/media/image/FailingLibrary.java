package org.jspdl.media.image;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.codec.CodecIsolation;
import org.jspdl.media.internal.codec.FailingHelper;

/// Decodes many files with a library that crashes and spins, by several threads at once.
final class FailingLibrary {
    private static final int WIDTH = 500;
    private static final int HEIGHT = 375;
    private static final int HEADER = 54;
    private static final int SIZE = 32;
    private static final int WORKERS = 2;

    private FailingLibrary() {}

    /// What came of it.
    ///
    /// @param wrong       files of which not that became what should
    /// @param longestCall of a file that was decoded, from being given to being done
    record Result(
            List<String> wrong,
            int decoded,
            long crashes,
            long overruns,
            Duration longestWait,
            Duration longestCall,
            Duration all) {}

    /// Decodes the files from number `first` up to `end`.
    static Result run(int first, int end, CodecIsolation isolation) throws InterruptedException {
        AtomicInteger next = new AtomicInteger(first);
        AtomicInteger decoded = new AtomicInteger();
        AtomicLong longest = new AtomicLong();
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        long begin = System.nanoTime();
        try (ImageDecoder decoder = ImageDecoder.create(ImageSpec.exact(SIZE, SIZE), JpegBackend.FFMPEG, isolation)) {
            List<Thread> workers = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                workers.add(Thread.ofPlatform().start(() -> {
                    try (Arena arena = Arena.ofConfined()) {
                        MemorySegment file = arena.allocate(HEADER + 3L * WIDTH * HEIGHT);
                        MemorySegment row = arena.allocate(3L * SIZE * SIZE);
                        for (int index = next.getAndIncrement(); index < end; index = next.getAndIncrement()) {
                            write(index, file);
                            long start = System.nanoTime();
                            String was = outcome(decoder, file, row, index);
                            if (was.equals("DECODED")) {
                                decoded.incrementAndGet();
                                longest.accumulateAndGet(System.nanoTime() - start, Math::max);
                            }
                            if (!was.equals(FailingHelper.of(file).name())) {
                                wrong.add(index + " should be " + FailingHelper.of(file) + " but was " + was);
                            }
                        }
                    }
                }));
            }
            for (Thread worker : workers) {
                worker.join();
            }
            IsolationStats stats = decoder.isolation();
            return new Result(
                    List.copyOf(wrong),
                    decoded.get(),
                    stats.crashes(),
                    stats.overruns(),
                    stats.longestWait(),
                    Duration.ofNanos(longest.get()),
                    Duration.ofNanos(System.nanoTime() - begin));
        }
    }

    private static String outcome(ImageDecoder decoder, MemorySegment file, MemorySegment row, int index) {
        row.fill((byte) 0x5A);
        try {
            decoder.decodeInto(file, row);
        } catch (DecodeException refused) {
            String text = String.valueOf(refused.getMessage());
            return text.contains("crashed") ? "CRASH" : text.contains("was not done after ") ? "ENDLESS" : text;
        }
        for (long at = 0; at < row.byteSize(); at++) {
            int expected = index >>> (8 * (2 - (int) (at % 3))) & 0xFF;
            if ((row.get(ValueLayout.JAVA_BYTE, at) & 0xFF) != expected) {
                return "wrong at byte " + at;
            }
        }
        return "DECODED";
    }

    /// A BMP file of one color, the file's number.
    private static void write(int index, MemorySegment file) {
        ByteBuffer header = file.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        header.put((byte) 'B')
                .put((byte) 'M')
                .putInt((int) file.byteSize())
                .putInt(0)
                .putInt(HEADER);
        header.putInt(40).putInt(WIDTH).putInt(HEIGHT).putShort((short) 1).putShort((short) 24);
        header.putInt(0)
                .putInt(3 * WIDTH * HEIGHT)
                .putInt(0)
                .putInt(0)
                .putInt(0)
                .putInt(0);
        for (long at = HEADER; at < file.byteSize(); at += 3) {
            file.set(ValueLayout.JAVA_BYTE, at, (byte) index);
            file.set(ValueLayout.JAVA_BYTE, at + 1, (byte) (index >>> 8));
            file.set(ValueLayout.JAVA_BYTE, at + 2, (byte) (index >>> 16));
        }
    }
}
