package org.jspdl.media.image;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Supplier;
import org.jspdl.media.internal.codec.DecodeMode;
import org.jspdl.media.internal.codec.Region;
import org.jspdl.media.internal.codec.TurboJpegCodec;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.header.ImageHeaders;
import org.jspdl.media.internal.resample.Picture;

/// How much faster are two threads than one on this machine? One and two threads take turns at decoding the same files
/// to planes, which is native code without anything shared, and at the whole job. What planes alone do not gain, no
/// program gains.
///
/// Run: `java -cp ... org.jspdl.media.image.DecodingScaling FOLDER [ROUNDS]`, with the classpath of [DecodingCost].
final class DecodingScaling {
    private DecodingScaling() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 12;
        try (Arena arena = Arena.ofShared()) {
            List<MemorySegment> files = DecodingCost.read(Path.of(arguments[0]), arena);
            ImageSpec spec = ImageSpec.shorterSide(256).centerCrop(224, 224);
            measure("planes alone", rounds, files.size(), () -> planes(files));
            measure("uint8 NHWC", rounds, files.size(), () -> job(spec, files, arena));
        }
    }

    private static Runnable planes(List<MemorySegment> files) {
        TurboJpegCodec codec = new TurboJpegCodec();
        Picture picture = new Picture();
        ImageHeader header = new ImageHeader();
        return () -> files.forEach(file -> {
            ImageHeaders.read(file, header);
            codec.decode(file, header, 1, Region.whole(header.width, header.height), DecodeMode.STRICT, picture);
        });
    }

    private static Runnable job(ImageSpec spec, List<MemorySegment> files, Arena arena) {
        ImageDecoder decoder = ImageDecoder.create(spec);
        MemorySegment row = arena.allocate(spec.rowBytes(), 64);
        return () -> files.forEach(file -> decoder.decodeInto(file, row));
    }

    private static void measure(String name, int rounds, int images, Supplier<Runnable> worker)
            throws InterruptedException {
        List<Runnable> workers = List.of(worker.get(), worker.get());
        List<Double> one = new ArrayList<>();
        List<Double> two = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            one.add(images / seconds(workers.subList(0, 1)));
            two.add(2 * images / seconds(workers));
        }
        double alone = DecodingCost.median(one);
        double together = DecodingCost.median(two);
        System.out.printf(
                Locale.ROOT,
                "%-14s %,.0f images a second by one thread, %,.0f by two: %.2f times%n",
                name,
                alone,
                together,
                together / alone);
    }

    /// The time from when all threads are there until the last has done its pass.
    private static double seconds(List<Runnable> passes) throws InterruptedException {
        long[] begun = new long[1];
        CyclicBarrier start = new CyclicBarrier(passes.size(), () -> begun[0] = System.nanoTime());
        List<Thread> threads = passes.stream()
                .map(pass -> Thread.ofPlatform().start(() -> {
                    try {
                        start.await();
                    } catch (Exception broken) {
                        throw new IllegalStateException(broken);
                    }
                    pass.run();
                }))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        return (System.nanoTime() - begun[0]) / 1e9;
    }
}
