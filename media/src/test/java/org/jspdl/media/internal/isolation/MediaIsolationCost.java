package org.jspdl.media.internal.isolation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspdl.media.audio.AudioDecoder;
import org.jspdl.media.audio.AudioSpec;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.video.VideoDecoder;
import org.jspdl.media.video.VideoSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Programs;
import org.jspecify.annotations.Nullable;

/// What do helper processes of sound and video cost where nothing happens? A file decoded here, with notes of what is
/// being decoded, and in a helper take turns on one thread, in another order in each round; the report has medians over
/// rounds of CPU-milliseconds of both processes for each file, without those of compilers, what the program took of
/// them, the memory of a helper, and that all made the same. Sounds are decoded in a fourth way too: here, by another
/// thread that is woken for each call as a helper is, which tells what being woken takes.
///
/// With `-Dcallers=N`, so many threads call at once, as the workers of a loader do; figures are a call's mean.
///
/// Run: `java -cp ... org.jspdl.media.internal.isolation.MediaIsolationCost [ROUNDS [CALLS [FILE...]]]` in the folder
/// `media`, with the test and main classes of core, arrays and media, and `ffmpeg`. The first third of the rounds warms
/// up.
final class MediaIsolationCost {
    private static final List<String> SOUNDS =
            List.of("long-vbr.mp3", "long.m4a", "long-opus.opus", "long-s16.flac", "long.ogg");
    private static final List<String> VIDEOS = List.of("480p.mp4", "1080p.mp4");
    /// Who has waited for the others runs slower at first: one in so many calls more, before those that count.
    private static final int UNCOUNTED = 4;

    private static final int CALLERS = Integer.getInteger("callers", 1);

    private MediaIsolationCost() {}

    /// @param millis  of both processes, a call, in each round
    /// @param program of this one
    private record Way(
            String name,
            AutoCloseable decoder,
            Function<MediaSource, Tensor> decode,
            List<Double> millis,
            List<Double> program) {
        Way(String name, AutoCloseable decoder, Function<MediaSource, Tensor> decode) {
            this(name, decoder, decode, new ArrayList<>(), new ArrayList<>());
        }
    }

    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 30;
        int calls = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10;
        List<String> wanted = List.of(arguments).subList(Math.min(2, arguments.length), arguments.length);
        try (BufferPool pool = BufferPool.unbounded("results")) {
            for (String name : SOUNDS) {
                if (wanted.isEmpty() || wanted.contains(name)) {
                    compare(name, TestMedia.file(name), sounds(pool), rounds, calls);
                }
            }
            for (String name : VIDEOS) {
                if (wanted.isEmpty() || wanted.contains(name)) {
                    compare(name, film(name), videos(pool), rounds, Math.max(1, calls / 5));
                }
            }
        }
    }

    private static List<Way> sounds(BufferPool pool) throws IOException {
        List<Way> ways = new ArrayList<>();
        for (Isolation isolation : isolations()) {
            AudioDecoder decoder = AudioDecoder.create(AudioSpec.original(), isolation);
            ways.add(new Way(name(isolation), decoder, source -> decoder.decode(source, pool)));
        }
        if (CALLERS == 1) {
            WokenThread woken = new WokenThread(AudioDecoder.create(AudioSpec.original(), Isolation.none()), pool);
            ways.add(new Way("woken", woken, woken::decode));
        }
        return ways;
    }

    /// Decodes sounds on a thread that waits for a byte in a pipe, as helpers do, and answers by another.
    private static final class WokenThread implements AutoCloseable {
        private final AudioDecoder decoder;
        private final BufferPool pool;
        private final Pipe requests = Pipe.open();
        private final Pipe answers = Pipe.open();
        private final Thread thread = Thread.ofPlatform().name("woken").daemon().unstarted(this::serve);
        private volatile MediaSource source = MediaSource.of(new byte[0]);
        private volatile @Nullable Tensor made;

        WokenThread(AudioDecoder decoder, BufferPool pool) throws IOException {
            this.decoder = decoder;
            this.pool = pool;
            thread.start();
        }

        private void serve() {
            ByteBuffer one = ByteBuffer.allocateDirect(1);
            try {
                while (requests.source().read(one.clear()) == 1) {
                    made = decoder.decode(source, pool);
                    answers.sink().write(one.flip());
                }
            } catch (IOException closed) {
                throw new UncheckedIOException(closed);
            }
        }

        Tensor decode(MediaSource wanted) {
            ByteBuffer one = ByteBuffer.allocateDirect(1);
            source = wanted;
            try {
                requests.sink().write(one);
                answers.source().read(one.clear());
            } catch (IOException closed) {
                throw new UncheckedIOException(closed);
            }
            return Objects.requireNonNull(made);
        }

        long nanos() {
            return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.threadId());
        }

        @Override
        public void close() throws IOException {
            requests.sink().close();
            decoder.close();
        }
    }

    private static List<Way> videos(BufferPool pool) {
        List<Way> ways = new ArrayList<>();
        VideoSpec spec = VideoSpec.of(ImageSpec.shorterSide(256).centerCrop(224, 224))
                .frames(16)
                .frameRate(8);
        for (Isolation isolation : isolations()) {
            VideoDecoder decoder = VideoDecoder.create(spec, isolation);
            ways.add(new Way(name(isolation), decoder, source -> decoder.decode(source, pool)));
        }
        return ways;
    }

    private static List<Isolation> isolations() {
        return List.of(Isolation.none(), Isolation.forMedia(), Isolation.all());
    }

    private static String name(Isolation isolation) {
        return switch (isolation.scope()) {
            case NONE -> "here";
            case AUTO -> "auto";
            case ALL -> "helper";
        };
    }

    /// A film of 4 s, made if need be.
    private static Path film(String name) throws IOException {
        Path file = Files.createDirectories(Path.of("target", "test-media")).resolve("cost-" + name);
        if (!Files.exists(file)) {
            String size = name.startsWith("480") ? "854x480" : "1920x1080";
            Programs.run("ffmpeg -v error -y -f lavfi -i testsrc2=size=" + size
                    + ":rate=25:duration=4 -c:v libx264 -g 50 -pix_fmt yuv420p " + file);
        }
        return file;
    }

    private static void compare(String name, Path file, List<Way> ways, int rounds, int calls) throws Exception {
        MediaSource source = MediaSource.of(file);
        List<?> expected = null;
        List<Way> turns = new ArrayList<>(ways);
        for (int round = 0; round < rounds; round++) {
            Collections.rotate(turns, 1);
            for (Way way : turns) {
                call(way, source, calls / UNCOUNTED);
                long others = others(way);
                long used = call(way, source, calls);
                if (round >= rounds / 3) {
                    way.millis.add((used + others(way) - others) / 1e6 / calls / CALLERS);
                    way.program.add(used / 1e6 / calls / CALLERS);
                }
            }
        }
        for (Way way : ways) {
            List<?> made = Outcomes.of(() -> way.decode.apply(source));
            expected = expected == null ? made : expected;
            if (!made.equals(expected)) {
                throw new IllegalStateException(name + ": " + way.name + " made " + made + ", not " + expected);
            }
            List<Double> more = more(way.millis, ways.getFirst().millis);
            System.out.printf(
                    Locale.ROOT,
                    "%-16s %-7s %8.3f CPU-ms, %+.1f %% (half of the rounds %+.1f to %+.1f %%), %.3f ms of them in the"
                            + " program, %d rounds of %d%n",
                    name,
                    way.name,
                    quantile(way.millis, 2),
                    quantile(more, 2),
                    quantile(more, 1),
                    quantile(more, 3),
                    quantile(way.program, 2),
                    way.millis.size(),
                    calls);
        }
        System.out.println(name + ": helpers' memory of their own, MiB: " + memory());
        for (Way way : ways) {
            way.decoder.close();
        }
    }

    /// The processor time of all callers, each of which calls so often.
    private static long call(Way way, MediaSource source, int calls) throws Exception {
        Callable<Long> caller = () -> {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (int i = 0; i < calls; i++) {
                way.decode.apply(source).close();
            }
            return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
        };
        long used = 0;
        if (CALLERS == 1) {
            return caller.call();
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(CALLERS)) {
            for (Future<Long> each : threads.invokeAll(Collections.nCopies(CALLERS, caller))) {
                used += each.get();
            }
        }
        return used;
    }

    /// Processor time of what decodes beside the caller.
    private static long others(Way way) {
        return way.decoder instanceof WokenThread woken ? woken.nanos() : helpers();
    }

    /// How much more each round took than the same round of another, in percent: they are next to each other in
    /// time, and machines are not always equally fast.
    private static List<Double> more(List<Double> rounds, List<Double> others) {
        List<Double> more = new ArrayList<>();
        for (int i = 0; i < rounds.size(); i++) {
            more.add(100 * (rounds.get(i) / others.get(i) - 1));
        }
        return more;
    }

    private static double quantile(List<Double> values, int quarters) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() * quarters / 4);
    }

    /// Processor time of the threads of all helpers but their compilers', to the nanosecond: of this process, too,
    /// only the thread that calls counts.
    private static long helpers() {
        long nanos = 0;
        for (ProcessHandle helper : ProcessHandle.current().children().toList()) {
            try (var tasks = Files.list(Path.of("/proc", Long.toString(helper.pid()), "task"))) {
                for (Path task : tasks.toList()) {
                    if (Files.readString(task.resolve("comm")).contains("Compiler")) {
                        continue;
                    }
                    String schedule = Files.readString(task.resolve("schedstat"));
                    nanos += Long.parseLong(schedule.substring(0, schedule.indexOf(' ')));
                }
            } catch (IOException ended) {
                // counted as far as it was
            }
        }
        return nanos;
    }

    /// What no other process has of the memory of each helper.
    private static List<Long> memory() throws IOException {
        List<Long> mebibytes = new ArrayList<>();
        for (ProcessHandle helper : ProcessHandle.current().children().toList()) {
            long kibibytes = 0;
            for (String line : Files.readAllLines(Path.of("/proc", Long.toString(helper.pid()), "smaps_rollup"))) {
                if (line.startsWith("Private_")) {
                    kibibytes += Long.parseLong(line.replaceAll("[^0-9]", ""));
                }
            }
            mebibytes.add(kibibytes >> 10);
        }
        return mebibytes;
    }
}
