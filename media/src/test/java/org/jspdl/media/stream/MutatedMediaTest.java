package org.jspdl.media.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.jspdl.input.MediaException;
import org.jspdl.media.audio.Audio;
import org.jspdl.media.audio.AudioDecoder;
import org.jspdl.media.audio.AudioSpec;
import org.jspdl.media.audio.AudioStream;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.video.Video;
import org.jspdl.media.video.VideoDecoder;
import org.jspdl.media.video.VideoSpec;
import org.jspdl.media.video.VideoStream;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.memory.PoolExhaustedException;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A campaign against demuxers and decoders: files of every format with bytes changed, cut, repeated and moved.
///
/// Strict decoding of sound goes through our WAV parser and libFLAC where it can, lenient decoding through FFmpeg
/// alone. Every input either decodes or is a [MediaException], within the deadline and the memory that the limits
/// allow. Every 16th is decoded again by decoders that have decoded nothing before, into memory that held something
/// else: verdict, shape and every byte must be the same. Takes as many inputs in every build; with
/// `-Pcampaign` as many as 10 minutes allow, or as long as `-Djspdl.campaign.seconds=N` says, with
/// `-Djspdl.campaign.seed=N`; it ends before that after `-Djspdl.campaign.files=N` inputs.
@Tag("slow")
class MutatedMediaTest {
    private static final Duration DEADLINE = Duration.ofSeconds(2);
    private static final long POOL_BYTES = 1L << 26;
    /// Of processor time, for one native call can't be interrupted.
    private static final long PATIENCE_SECONDS = 20;
    /// In a build, whose outcome must not depend on how fast the machine is.
    private static final long INPUTS = 2_400;

    private static final int[] FRAMES = {0, 9, 20};
    private static final String REFUSED = "refused: ";
    private static final String LATE = REFUSED + "too late";
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @Test
    @Timeout(value = 24, unit = TimeUnit.HOURS)
    void damagedFilesNeverDoMoreThanFail() throws IOException {
        long seed = Long.getLong("jspdl.campaign.seed", 20_261_121);
        boolean timed = Boolean.getBoolean("campaign") || Integer.getInteger("jspdl.campaign.seconds") != null;
        Duration length = Duration.ofSeconds(Integer.getInteger("jspdl.campaign.seconds", 600));
        long most = Long.getLong("jspdl.campaign.files", timed ? Long.MAX_VALUE : INPUTS);
        List<byte[]> files = new ArrayList<>();
        for (String name : TestMedia.videos()) {
            files.add(Files.readAllBytes(TestMedia.file(name)));
        }
        for (String name : TestMedia.sounds()) {
            files.add(Files.readAllBytes(TestMedia.file(name)));
        }
        MediaLimits limits = MediaLimits.standard()
                .maxPixels(1 << 20)
                .maxBytes(POOL_BYTES / 2)
                .maxStreams(20)
                .deadline(DEADLINE);
        DecodeOptions strict = DecodeOptions.standard().limits(limits);
        DecodeOptions lenient = strict.damage(DecodeOptions.Damage.SKIPPED);
        SplittableRandom random = new SplittableRandom(seed);
        long decoded = 0;
        long refused = 0;
        long longest = 0;
        long inputs = 0;
        long compared = 0;
        ImageSpec look = ImageSpec.exact(32, 24);
        try (BufferPool pool = BufferPool.create("campaign", POOL_BYTES);
                VideoDecoder video = VideoDecoder.create(VideoSpec.of(look).decoding(strict));
                VideoDecoder sampled = VideoDecoder.create(VideoSpec.of(look).decoding(lenient));
                AudioDecoder sound = AudioDecoder.create(AudioSpec.original().decoding(strict));
                AudioDecoder audio = AudioDecoder.create(AudioSpec.original().decoding(lenient))) {
            long end = System.nanoTime() + length.toNanos();
            while (inputs < most && (!timed || System.nanoTime() < end)) {
                byte[] input = mutate(files.get(random.nextInt(files.size())), random);
                MediaSource source = MediaSource.of(input);
                int way = random.nextInt(4);
                long begun = THREADS.getCurrentThreadCpuTime();
                String outcome = outcome(() -> switch (way) {
                    case 0 -> video.decode(source, pool);
                    case 1 -> sampled.frames(source, FRAMES, pool);
                    case 2 -> sound.decode(source, pool);
                    default -> audio.decode(source, pool);
                });
                decoded += outcome.startsWith(REFUSED) ? 0 : 1;
                refused += outcome.startsWith(REFUSED) ? 1 : 0;
                longest = Math.max(longest, THREADS.getCurrentThreadCpuTime() - begun);
                if (inputs++ % 16 == 0) {
                    compared++;
                    String fresh = afresh(way, source, look, strict, lenient);
                    // The deadline is of the clock, and may pass while another process has the
                    // processor.
                    if (!outcome.equals(LATE) && !fresh.equals(LATE)) {
                        assertThat(fresh)
                                .as("seed %d, input %d, way %d: what a fresh decoder makes", seed, inputs - 1, way)
                                .isEqualTo(outcome);
                    }
                }
            }
        }
        System.out.printf(
                "mutated media, seed %d: %,d decoded, %,d refused, %,d compared, the longest took %,d ms of processor time%n",
                seed, decoded, refused, compared, longest / 1_000_000);
        assertThat(decoded).isPositive();
        assertThat(refused).isPositive();
        assertThat(longest).isLessThan(TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));
    }

    /// The shape and a checksum of what is decoded, or that it is refused.
    private static String outcome(Supplier<Tensor> decoding) {
        try (Tensor tensor = decoding.get()) {
            CRC32C sum = new CRC32C();
            sum.update(tensor.segment().asByteBuffer());
            return tensor.shape() + " " + sum.getValue();
        } catch (MediaException | IndexOutOfBoundsException | PoolExhaustedException expected) {
            if (String.valueOf(expected.getMessage()).contains("the deadline in the limits")) {
                return LATE;
            }
            return REFUSED + expected.getClass().getSimpleName();
        }
    }

    private static String afresh(
            int way, MediaSource source, ImageSpec look, DecodeOptions strict, DecodeOptions lenient) {
        try (BufferPool pool = BufferPool.create("afresh", POOL_BYTES)) {
            try (Lease before = pool.lease(POOL_BYTES / 4)) {
                before.segment().fill((byte) 0xA5);
            }
            return outcome(() -> {
                try (VideoDecoder video =
                                VideoDecoder.create(VideoSpec.of(look).decoding(way == 0 ? strict : lenient));
                        AudioDecoder audio =
                                AudioDecoder.create(AudioSpec.original().decoding(way == 2 ? strict : lenient))) {
                    return switch (way) {
                        case 0 -> video.decode(source, pool);
                        case 1 -> video.frames(source, FRAMES, pool);
                        default -> audio.decode(source, pool);
                    };
                }
            });
        }
    }

    /// Windows, rates and numbers together, and streams, whose arithmetic meets the times that a file claims.
    @Test
    @Timeout(value = 24, unit = TimeUnit.HOURS)
    void damagedFilesNeverDoMoreThanFailHoweverTheyAreRead() throws IOException {
        long seed = Long.getLong("jspdl.campaign.seed", 20_261_124);
        Duration length = Duration.ofSeconds(
                Integer.getInteger("jspdl.campaign.seconds", Boolean.getBoolean("campaign") ? 300 : 6));
        List<byte[]> videos = new ArrayList<>();
        for (String name : TestMedia.videos()) {
            videos.add(Files.readAllBytes(TestMedia.file(name)));
        }
        List<byte[]> sounds = new ArrayList<>();
        for (String name : TestMedia.sounds()) {
            sounds.add(Files.readAllBytes(TestMedia.file(name)));
        }
        DecodeOptions lenient = DecodeOptions.standard()
                .limits(MediaLimits.standard()
                        .maxPixels(1 << 20)
                        .maxBytes(POOL_BYTES / 2)
                        .maxStreams(20)
                        .deadline(DEADLINE))
                .damage(DecodeOptions.Damage.SKIPPED);
        SplittableRandom random = new SplittableRandom(seed);
        long[] decoded = new long[4];
        long inputs = 0;
        try (BufferPool pool = BufferPool.create("campaign", POOL_BYTES)) {
            long end = System.nanoTime() + length.toNanos();
            while (System.nanoTime() < end) {
                int way = random.nextInt(4);
                List<byte[]> files = way < 2 ? videos : sounds;
                MediaSource source = MediaSource.of(mutate(files.get(random.nextInt(files.size())), random));
                VideoSpec video = videoSpec(random, way == 1).decoding(lenient);
                AudioSpec sound = soundSpec(random, way == 3).decoding(lenient);
                inputs++;
                String outcome;
                try {
                    outcome = outcome(() -> switch (way) {
                        case 0 -> Video.load(source, video);
                        case 1 -> last(source, video, pool);
                        case 2 -> Audio.load(source, sound);
                        default -> last(source, sound, pool);
                    });
                } catch (RuntimeException | Error other) {
                    throw new AssertionError(
                            "seed " + seed + ", input " + inputs + ": " + (way < 2 ? video : sound), other);
                }
                decoded[way] += outcome.startsWith(REFUSED) ? 0 : 1;
            }
        }
        System.out.printf(
                "mutated media by any spec, seed %d: %,d inputs, decoded %s%n", seed, inputs, Arrays.toString(decoded));
        assertThat(Arrays.stream(decoded).sum()).isPositive();
    }

    private static Rational time(SplittableRandom random) {
        return switch (random.nextInt(8)) {
            case 0 -> Rational.of(random.nextLong() >> random.nextInt(4));
            case 1 -> Rational.of(random.nextLong(), 90_001);
            default -> Rational.of(random.nextInt(-2_000, 4_000), 1_000);
        };
    }

    private static TimeWindow window(SplittableRandom random) {
        Rational one = time(random);
        Rational other = time(random);
        int order = one.compareTo(other);
        return order == 0 ? TimeWindow.from(one) : order < 0 ? TimeWindow.of(one, other) : TimeWindow.of(other, one);
    }

    private static VideoSpec videoSpec(SplittableRandom random, boolean streamed) {
        VideoSpec spec = VideoSpec.of(random.nextBoolean() ? ImageSpec.exact(32, 24) : ImageSpec.original());
        if (streamed) {
            return spec;
        }
        spec = random.nextBoolean() ? spec.window(window(random)) : spec;
        int[] rates = {1, 7, 24, 1_000, 1_000_000_000};
        spec = random.nextBoolean()
                ? spec.frameRate(Rational.of(rates[random.nextInt(rates.length)], 1 + random.nextInt(1_001)))
                : spec;
        return random.nextBoolean() ? spec.frames(1 + random.nextInt(40)) : spec;
    }

    private static AudioSpec soundSpec(SplittableRandom random, boolean streamed) {
        AudioSpec spec = AudioSpec.original();
        spec = random.nextBoolean() ? spec.sampleRateHz(1 + random.nextInt(200_000)) : spec;
        spec = random.nextBoolean() ? spec.channels(1 + random.nextInt(8)) : spec;
        if (streamed) {
            return spec;
        }
        spec = random.nextBoolean() ? spec.window(window(random)) : spec;
        return random.nextBoolean() ? spec.samples(1 + random.nextInt(100_000)) : spec;
    }

    /// The last piece of all.
    private static Tensor last(MediaSource source, VideoSpec spec, BufferPool pool) {
        try (VideoStream stream = VideoStream.open(source, spec, 4)) {
            return last(source, () -> stream.next(pool));
        }
    }

    private static Tensor last(MediaSource source, AudioSpec spec, BufferPool pool) {
        try (AudioStream stream = AudioStream.open(source, spec, 10_000)) {
            return last(source, () -> stream.next(pool));
        }
    }

    private static Tensor last(MediaSource source, Supplier<Optional<Tensor>> pieces) {
        Tensor last = null;
        try {
            for (Optional<Tensor> next = pieces.get(); next.isPresent(); next = pieces.get()) {
                if (last != null) {
                    last.close();
                }
                last = next.get();
            }
        } catch (Throwable failure) {
            if (last != null) {
                last.close();
            }
            throw failure;
        }
        if (last == null) {
            throw source.failure("has no pieces");
        }
        return last;
    }

    private static byte[] mutate(byte[] file, SplittableRandom random) {
        byte[] mutant = file.clone();
        int changes = 1 + random.nextInt(12);
        for (int i = 0; i < changes; i++) {
            // Headers are where sizes and counts are.
            int at = random.nextInt(3) == 0
                    ? random.nextInt(Math.min(600, mutant.length))
                    : random.nextInt(mutant.length);
            int reach = Math.min(Math.min(mutant.length, file.length) - Math.min(at, file.length - 1), 40);
            switch (random.nextInt(6)) {
                case 0 -> mutant[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> mutant[at] = (byte) random.nextInt(256);
                case 2 -> mutant[at] = (byte) (random.nextBoolean() ? 0xFF : 0);
                case 3 -> Arrays.fill(mutant, at, Math.min(mutant.length, at + 4), (byte) random.nextInt(256));
                case 4 ->
                    System.arraycopy(
                            file,
                            random.nextInt(Math.max(1, file.length - Math.max(1, reach))),
                            mutant,
                            at,
                            Math.max(0, Math.min(reach, mutant.length - at)));
                default -> mutant = random.nextInt(4) == 0 ? Arrays.copyOf(mutant, at + 1) : mutant;
            }
        }
        return mutant;
    }
}
