package org.jspdl.media.audio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.internal.isolation.Outcomes;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.memory.BufferPool;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The short way of MP3 files gives what FFmpeg's demuxer and decoder give, or leaves the file to them: files of every
/// kind that LAME writes, and these damaged, cut and put together.
///
/// 30 kinds and 300 damaged files in every build, 400 and 40,000 with `-Dcampaign=true`, or as many damaged ones as
/// `-Djspdl.mp3.files=N` says, others for each `-Djspdl.mp3.seed=N`.
class Mp3FileTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final int[] RATES = {8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000};
    private static final AudioSpec SHORT = AudioSpec.original();
    /// Any option leaves the sound to FFmpeg.
    private static final AudioSpec LONG =
            SHORT.decoding(DecodeOptions.standard().option("threads", "1"));

    @TempDir
    Path folder;

    @Test
    void everyKindOfFileHasTheSamplesOfFfmpeg() throws IOException {
        SplittableRandom random = new SplittableRandom(20_261_128);
        List<String> others = new ArrayList<>();
        try (Ways ways = new Ways()) {
            for (int i = 0; i < (CAMPAIGN ? 400 : 30); i++) {
                String options = options(random);
                byte[] file = file(options, 1.3 + random.nextDouble());
                ways.compare(file, options);
                if (Mp3File.of(MemorySegment.ofArray(file)).isEmpty()) {
                    others.add(options);
                }
            }
        }
        assertThat(others).as("files that take the long way").isEmpty();
    }

    private static String options(SplittableRandom random) {
        int rate = RATES[random.nextInt(RATES.length)];
        int kilobits = rate < 32_000 ? 8 * random.nextInt(2, 20) : 16 * random.nextInt(3, 20);
        return "-ar " + rate + " -ac " + random.nextInt(1, 3)
                + (random.nextBoolean() ? " -b:a " + kilobits + "k" : " -q:a " + random.nextInt(10))
                + " -joint_stereo " + random.nextInt(2)
                + " -reservoir " + random.nextInt(2)
                + " -write_xing " + random.nextInt(2)
                + " -id3v2_version " + (random.nextBoolean() ? 0 : random.nextInt(3, 5))
                + " -write_id3v1 " + random.nextInt(2) + " -metadata title=A";
    }

    private byte[] file(String options, double seconds) throws IOException {
        Path file = folder.resolve("a.mp3");
        Programs.run("ffmpeg -v error -y -f lavfi -i anoisesrc=colour=pink:amplitude=0.4:seed=7:r=44100:d=" + seconds
                + ",aformat=channel_layouts=stereo -c:a libmp3lame " + options + " " + file);
        return Files.readAllBytes(file);
    }

    @Test
    void damagedFilesAreWhatFfmpegMakesOfThem() throws IOException {
        List<byte[]> files = List.of(
                Files.readAllBytes(TestMedia.file("a.mp3")),
                file("-ac 1 -ar 16000 -q:a 5 -write_id3v1 1", 1.5),
                file("-ac 2 -ar 44100 -b:a 96k -write_xing 0 -id3v2_version 0", 1));
        SplittableRandom random = new SplittableRandom(Integer.getInteger("jspdl.mp3.seed", 4));
        int shortened = 0;
        try (Ways ways = new Ways()) {
            for (int i = 0; i < Integer.getInteger("jspdl.mp3.files", CAMPAIGN ? 40_000 : 300); i++) {
                byte[] file = damaged(files.get(random.nextInt(files.size())), random);
                shortened += ways.compare(file, "file " + i) ? 1 : 0;
            }
        }
        assertThat(shortened).as("files that took the short way").isPositive();
    }

    private static byte[] damaged(byte[] whole, SplittableRandom random) {
        byte[] file = whole.clone();
        int at = random.nextInt(file.length);
        switch (random.nextInt(8)) {
            case 0 -> file = Arrays.copyOf(file, at);
            case 1 -> file = Arrays.copyOfRange(file, at, file.length);
            case 2 -> file = joined(file, file);
            case 3 -> file = joined(file, tag(random));
            case 4 ->
                file = joined(Arrays.copyOf(file, at), Arrays.copyOfRange(file, Math.max(0, at - 417), file.length));
            case 5 -> file = joined(file, new byte[random.nextInt(1, 600)]);
            default -> {
                int from = random.nextBoolean() ? 0 : at;
                for (int k = random.nextInt(1, 8); k > 0; k--) {
                    file[from + random.nextInt(Math.min(200, file.length - from))] = (byte) random.nextInt(256);
                }
            }
        }
        return file;
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    private static byte[] tag(SplittableRandom random) {
        byte[] tag = new byte[random.nextInt(4) == 0 ? 127 : 128];
        System.arraycopy("TAG".getBytes(StandardCharsets.US_ASCII), 0, tag, 0, 3);
        return tag;
    }

    /// A decoder that takes the short way where it can, and one that never does, used for many files.
    private static final class Ways implements AutoCloseable {
        private final BufferPool pool = BufferPool.create("test", 1 << 26);
        private final AudioDecoder ours = AudioDecoder.create(SHORT);
        private final AudioDecoder theirs = AudioDecoder.create(LONG);
        private final AudioDecoder few = AudioDecoder.create(SHORT.samples(1_500));
        private final AudioDecoder fewOfTheirs = AudioDecoder.create(LONG.samples(1_500));

        /// Whether the short way made the samples.
        boolean compare(byte[] file, String what) {
            MediaSource source = MediaSource.of(file);
            assertThat(Outcomes.of(() -> ours.decode(source, pool)))
                    .as(what)
                    .isEqualTo(Outcomes.of(() -> theirs.decode(source, pool)));
            assertThat(Outcomes.of(() -> few.decode(source, pool)))
                    .as("the first samples of %s", what)
                    .isEqualTo(Outcomes.of(() -> fewOfTheirs.decode(source, pool)));
            return isShort(file);
        }

        private boolean isShort(byte[] file) {
            FastAudioPath path = new FastAudioPath(SHORT);
            try {
                var samples = path.readCoded(
                        "file",
                        MemorySegment.ofArray(file),
                        (channels, count) ->
                                FastAudioPath.buffer(SHORT, MediaSource.of(file), channels, count, pool::lease));
                samples.ifPresent(SampleBuffer::close);
                return samples.isPresent();
            } finally {
                path.close();
            }
        }

        @Override
        public void close() {
            List.of(ours, theirs, few, fewOfTheirs).forEach(AudioDecoder::close);
            assertThat(pool.outstanding()).isZero();
            pool.close();
        }
    }
}
