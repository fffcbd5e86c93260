package org.jspdl.media.image;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspdl.media.internal.codec.DecodeMode;
import org.jspdl.media.internal.codec.FfmpegCodec;
import org.jspdl.media.internal.codec.ImageCodec;
import org.jspdl.media.internal.codec.JpegCodec;
import org.jspdl.media.internal.codec.Region;
import org.jspdl.media.internal.codec.TurboJpegCodec;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.header.ImageHeaders;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.memory.ElementType;

/// What does everything after the codec cost? Decoding to planes alone, and the whole job in several forms, take turns
/// over the same JPEG files on one thread; the report has medians of CPU-seconds per 1,000 images.
///
/// Run: `java -cp ... org.jspdl.media.image.DecodingCost FOLDER [ROUNDS [ONLY]]`, with the test and main classes of
/// core and media; ONLY is what the names of jobs begin with.
final class DecodingCost {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private DecodingCost() {}

    private record Job(String name, Runnable pass, List<Double> seconds) {
        Job(String name, Runnable pass) {
            this(name, pass, new ArrayList<>());
        }
    }

    public static void main(String[] arguments) throws IOException {
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 15;
        try (Arena arena = Arena.ofShared()) {
            List<MemorySegment> files = read(Path.of(arguments[0]), arena);
            ImageSpec spec = ImageSpec.shorterSide(256).centerCrop(224, 224);
            List<Job> jobs = new ArrayList<>();
            jobs.add(planes("planes alone", new TurboJpegCodec(), 1, files));
            jobs.add(planes("planes in Java", new JpegCodec(), 1, files));
            for (int reduce : new int[] {2, 4, 8}) {
                jobs.add(planes("planes at 1/" + reduce, new TurboJpegCodec(), reduce, files));
                jobs.add(planes("planes in Java at 1/" + reduce, new JpegCodec(), reduce, files));
            }
            jobs.add(job("uint8 NHWC", spec, files, arena));
            jobs.add(job("uint8 NHWC by TurboJPEG", spec, JpegBackend.TURBOJPEG, files, arena));
            jobs.add(job("uint8 NHWC exact", spec.quality(Quality.EXACT), files, arena));
            jobs.add(job("uint8 NHWC fastest", spec.quality(Quality.FASTEST), files, arena));
            ImageSpec floats = spec.elements(ElementType.FLOAT32).normalization(Normalization.imageNet());
            jobs.add(job("float32 NCHW", floats.layout(Layout.NCHW), files, arena));
            jobs.add(job("float32 NHWC", floats, files, arena));
            jobs.add(planes("FFmpeg's planes", new FfmpegCodec(), 1, files));
            jobs.add(job("uint8 NHWC by FFmpeg", spec, JpegBackend.FFMPEG, files, arena));
            String only = arguments.length > 2 ? arguments[2] : "";
            jobs.removeIf(job -> !job.name.startsWith(only));
            for (int round = 0; round < rounds; round++) {
                for (Job job : jobs) {
                    long start = THREADS.getCurrentThreadCpuTime();
                    job.pass.run();
                    job.seconds.add((THREADS.getCurrentThreadCpuTime() - start) / 1e9 / files.size() * 1000);
                }
            }
            double floor = median(jobs.getFirst().seconds);
            for (Job job : jobs) {
                double seconds = median(job.seconds);
                System.out.printf(
                        Locale.ROOT,
                        "%-22s %.3f s per 1,000, %+.3f of planes alone%n",
                        job.name,
                        seconds,
                        seconds - floor);
            }
        }
    }

    /// All rows of all planes; at 1/8 of the size hardly more than entropy decoding.
    private static Job planes(String name, ImageCodec codec, int reduce, List<MemorySegment> files) {
        Picture picture = new Picture();
        ImageHeader header = new ImageHeader();
        return new Job(
                name,
                () -> files.forEach(file -> {
                    ImageHeaders.read(file, header);
                    codec.decode(
                            file,
                            header,
                            reduce,
                            Region.whole(header.width, header.height),
                            DecodeMode.STRICT,
                            picture);
                }));
    }

    private static Job job(String name, ImageSpec spec, List<MemorySegment> files, Arena arena) {
        return job(name, spec, JpegBackend.BEST, files, arena);
    }

    private static Job job(String name, ImageSpec spec, JpegBackend backend, List<MemorySegment> files, Arena arena) {
        ImageDecoder decoder = ImageDecoder.create(spec, backend);
        MemorySegment row = arena.allocate(spec.rowBytes(), 64);
        return new Job(name, () -> files.forEach(file -> decoder.decodeInto(file, row)));
    }

    /// The first 400 JPEG files of a folder, in order.
    static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(path -> path.toString().endsWith(".jpg"))
                    .sorted()
                    .limit(400)
                    .toList();
        }
    }

    static List<MemorySegment> read(Path folder, Arena arena) throws IOException {
        List<MemorySegment> read = new ArrayList<>();
        for (Path file : files(folder)) {
            read.add(TestFiles.toNative(Files.readAllBytes(file), arena));
        }
        return read;
    }

    /// The median of the later two thirds, when everything is compiled.
    static double median(List<Double> seconds) {
        List<Double> warm = seconds.subList(seconds.size() / 3, seconds.size()).stream()
                .sorted()
                .toList();
        return warm.get(warm.size() / 2);
    }
}
