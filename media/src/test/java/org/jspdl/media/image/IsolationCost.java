package org.jspdl.media.image;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.testing.Programs;

/// What do helper processes cost where nothing happens? Each format decoded here, with notes of what is being decoded,
/// and in a helper take turns over the same photographs on one thread; the report has medians of CPU-seconds per 1,000
/// images of both processes, and of the time from call to return.
///
/// Run: `java -cp ... org.jspdl.media.image.IsolationCost FOLDER [ROUNDS [FORMAT]]`, with the test and main classes of
/// core and media, and `ffmpeg`.
final class IsolationCost {
    private static final int FILES = 40;

    private IsolationCost() {}

    private record Way(String name, ImageDecoder decoder, List<Double> seconds, List<Double> here, List<Double> calls) {
        Way(String name, ImageSpec spec, JpegBackend backend, Isolation isolation) {
            this(
                    name,
                    ImageDecoder.create(spec, backend, isolation),
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new ArrayList<>());
        }
    }

    public static void main(String[] arguments) throws IOException {
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 30;
        ImageSpec spec = ImageSpec.shorterSide(256).centerCrop(224, 224);
        Path folder = Files.createTempDirectory("isolation-cost");
        try (Arena arena = Arena.ofShared()) {
            List<Path> photographs = DecodingCost.files(Path.of(arguments[0])).stream()
                    .limit(FILES)
                    .toList();
            for (String format : arguments.length > 2 ? List.of(arguments[2]) : List.of("png", "webp", "jpeg")) {
                List<MemorySegment> files = new ArrayList<>();
                for (Path photograph : photographs) {
                    files.add(TestFiles.toNative(file(photograph, format, folder), arena));
                }
                compare(format, files, spec, rounds, arena);
            }
        }
    }

    private static byte[] file(Path photograph, String format, Path folder) throws IOException {
        byte[] jpeg = Files.readAllBytes(photograph);
        if (format.equals("jpeg")) {
            return jpeg;
        }
        ImageSpec whole = ImageSpec.original();
        byte[] rgb = JpegDecodingTest.decode(jpeg, whole, JpegBackend.BEST);
        var info = ImageDecoder.probe(MemorySegment.ofArray(jpeg));
        Shape shape = Shape.of(info.height(), info.width(), 3);
        byte[] png = ImageEncoderTest.encode(ImageEncoder.png(), rgb, shape, ElementType.UINT8);
        if (format.equals("png")) {
            return png;
        }
        Path source = Files.write(folder.resolve("source.png"), png);
        return Programs.output(
                folder, List.of("ffmpeg", "-v", "error", "-i", source.toString(), "-quality", "85", "-f", "webp", "-"));
    }

    private static void compare(String format, List<MemorySegment> files, ImageSpec spec, int rounds, Arena arena) {
        List<Way> ways = List.of(
                new Way("here", spec, JpegBackend.TURBOJPEG, Isolation.none()),
                new Way("auto", spec, JpegBackend.TURBOJPEG, Isolation.auto()),
                new Way("helper", spec, JpegBackend.TURBOJPEG, Isolation.all()));
        MemorySegment row = arena.allocate(spec.rowBytes(), 64);
        for (int round = 0; round < rounds; round++) {
            for (Way way : ways) {
                long helpers = helpers();
                long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                for (MemorySegment file : files) {
                    long call = System.nanoTime();
                    way.decoder.decodeInto(file, row);
                    if (round >= rounds / 3) {
                        way.calls.add((System.nanoTime() - call) / 1e6);
                    }
                }
                long used = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
                way.here.add(used / 1e6 / files.size());
                way.seconds.add((used + helpers() - helpers) / 1e6 / files.size());
            }
        }
        Way first = ways.getFirst();
        for (Way way : ways) {
            double seconds = DecodingCost.median(way.seconds);
            way.calls.sort(Comparator.naturalOrder());
            first.calls.sort(Comparator.naturalOrder());
            System.out.printf(
                    Locale.ROOT,
                    "%-5s %-7s %.3f CPU-s per 1,000 (%+.1f %%), %.3f of them here; call to return: %.3f ms, 1st"
                            + " percentile %.3f%n",
                    format,
                    way.name,
                    seconds,
                    100 * (seconds / DecodingCost.median(first.seconds) - 1),
                    DecodingCost.median(way.here),
                    way.calls.get(way.calls.size() / 2),
                    way.calls.get(way.calls.size() / 100));
        }
        ways.forEach(way -> way.decoder.close());
    }

    /// Processor time of all threads of all helpers that decode, to the nanosecond.
    private static long helpers() {
        return ProcessHandle.current()
                .children()
                .map(IsolationCost::processorTime)
                .mapToLong(Duration::toNanos)
                .sum();
    }

    /// What compiles counts too, and ends after a while.
    private static Duration processorTime(ProcessHandle process) {
        try {
            Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
            long nanos = 0;
            try (var tasks = Files.list(threads)) {
                for (Path task : tasks.toList()) {
                    String schedule = Files.readString(task.resolve("schedstat"));
                    nanos += Long.parseLong(schedule.substring(0, schedule.indexOf(' ')));
                }
            }
            return Duration.ofNanos(nanos);
        } catch (IOException ended) {
            return Duration.ZERO;
        }
    }
}
