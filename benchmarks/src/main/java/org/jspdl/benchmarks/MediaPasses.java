package org.jspdl.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspdl.media.audio.Audio;
import org.jspdl.media.audio.AudioDecoder;
import org.jspdl.media.audio.AudioSpec;
import org.jspdl.media.audio.AudioStream;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.media.video.FrameIndex;
import org.jspdl.media.video.FrameSampling;
import org.jspdl.media.video.VideoDecoder;
import org.jspdl.media.video.VideoSpec;
import org.jspdl.media.video.VideoStream;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;

/// Decodes one file again and again: one contestant of the scenarios `video` and `audio`.
///
/// Run: `java -cp 'benchmarks/target/benchmarks.jar:benchmarks/target/lib/*' org.jspdl.benchmarks.MediaPasses WHAT FILE
/// PASSES THREADS`, with WHAT one of `video` (all frames to RGB bytes), `sample` (16 frames by a kept index), `audio`
/// (to floats; items are seconds of sound), `video-fresh` and `audio-fresh` (the same with a new decoder for each
/// file), `audio-load` (the same by [Audio#load], with memory of its own too), `stream` and `video-stream` (in pieces,
/// printing resident memory as they go).
public final class MediaPasses {
    private static final int WARM_UPS = 2;
    private static final int SAMPLED = 16;
    private static final int PAGE = 4096;

    private MediaPasses() {}

    /// Runs passes, first to warm up, then measured.
    public static void main(String[] arguments) throws Exception {
        MediaSource source = MediaSource.of(Path.of(arguments[1]));
        int passes = Integer.parseInt(arguments[2]);
        int threads = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 1;
        IO.println("{\"event\": \"versions\", \"java\": \"" + Runtime.version() + "\"}");
        IO.println("{\"event\": \"first_batch\"}");
        try (BufferPool pool = BufferPool.create("passes", 4L << 30);
                VideoDecoder video = VideoDecoder.create(VideoSpec.original());
                AudioDecoder audio = AudioDecoder.create(AudioSpec.original())) {
            double rate = sampleRate(source);
            Pass pass = switch (arguments[0]) {
                case "video" -> () -> frames(video.decode(source, pool));
                case "sample" -> {
                    FrameIndex index = FrameIndex.of(source);
                    int[] indices = FrameSampling.evenly(index.frames(), SAMPLED);
                    yield () -> frames(video.frames(source, index, indices, pool));
                }
                case "video-fresh" ->
                    () -> {
                        try (VideoDecoder fresh = VideoDecoder.create(VideoSpec.original())) {
                            return frames(fresh.decode(source, pool));
                        }
                    };
                case "audio" -> () -> samples(audio.decode(source, pool)) / rate;
                case "audio-fresh" ->
                    () -> {
                        try (AudioDecoder fresh = AudioDecoder.create(AudioSpec.original())) {
                            return samples(fresh.decode(source, pool)) / rate;
                        }
                    };
                case "audio-load" -> () -> samples(Audio.load(source, AudioSpec.original())) / rate;
                case "stream" -> () -> stream(source, pool);
                case "video-stream" -> () -> videoStream(source, pool);
                default -> throw new IllegalArgumentException("there is no pass '" + arguments[0] + "'");
            };
            for (int i = 0; i <= WARM_UPS; i++) {
                epoch(pass, passes, threads);
            }
        }
    }

    private interface Pass {
        double run() throws Exception;
    }

    private static double frames(Tensor tensor) {
        try (tensor) {
            return tensor.shape().extent(0);
        }
    }

    private static double samples(Tensor tensor) {
        try (tensor) {
            return tensor.shape().extent(1);
        }
    }

    /// Samples of sound a second; 1 where there is no sound.
    private static double sampleRate(MediaSource source) {
        try (Demuxer demuxer = Demuxer.open(source)) {
            return demuxer.info().streams().stream()
                    .filter(stream -> stream.kind() == StreamInfo.Kind.AUDIO)
                    .mapToDouble(StreamInfo::sampleRate)
                    .findFirst()
                    .orElse(1);
        }
    }

    private static double stream(MediaSource source, BufferPool pool) throws IOException {
        int pieces = 0;
        try (AudioStream sound = AudioStream.open(source, AudioSpec.original(), 44_100)) {
            Optional<Tensor> piece = sound.next(pool);
            while (piece.isPresent()) {
                piece.get().close();
                printMemory(++pieces);
                piece = sound.next(pool);
            }
        }
        return pieces;
    }

    private static double videoStream(MediaSource source, BufferPool pool) throws IOException {
        int pieces = 0;
        try (VideoStream film = VideoStream.open(source, VideoSpec.original(), 32)) {
            Optional<Tensor> piece = film.next(pool);
            while (piece.isPresent()) {
                piece.get().close();
                printMemory(++pieces);
                piece = film.next(pool);
            }
        }
        return pieces;
    }

    private static void printMemory(int pieces) throws IOException {
        if (pieces % 100 == 0) {
            String pages = Files.readString(Path.of("/proc/self/statm")).split(" ")[1];
            IO.println("{\"event\": \"memory\", \"pieces\": " + pieces + ", \"resident_bytes\": "
                    + Long.parseLong(pages) * PAGE + "}");
        }
    }

    private static void epoch(Pass pass, int passes, int threads) throws InterruptedException {
        double[] items = new double[threads];
        long start = System.nanoTime();
        long cpu = ProcessCpu.nanos();
        Thread[] workers = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int mine = t;
            workers[t] = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < passes; i++) {
                    try {
                        items[mine] += pass.run();
                    } catch (Exception failure) {
                        throw new IllegalStateException(failure);
                    }
                }
            });
        }
        double sum = 0;
        for (int t = 0; t < threads; t++) {
            workers[t].join();
            sum += items[t];
        }
        IO.println("{\"event\": \"epoch\", \"items\": " + Math.round(sum) + ", \"seconds\": "
                + (System.nanoTime() - start) / 1e9 + ", \"cpu_seconds\": " + (ProcessCpu.nanos() - cpu) / 1e9 + "}");
    }
}
