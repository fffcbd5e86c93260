package org.jspdl.media.audio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspdl.input.MediaException;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.frame.Decoder;
import org.jspdl.media.frame.Frames;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.MediaLimits;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Programs;
import org.jspdl.wav.SampleLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files as they come about in the world: longer than numbers of 31 bits count, put together from others, cut anywhere.
class OddSoundTest {
    private static final int RATE = 8_000;
    private static final int TAIL = 8_000;

    @TempDir
    Path folder;

    /// A file with holes: 2^31 + 8,000 samples of one byte, of which the last 8,000 are not 0.
    private Path longSound(String kind) throws IOException {
        long samples = (1L << 31) + TAIL;
        byte[] header = kind.equals("w64") ? w64(samples) : rf64(samples);
        Path file = folder.resolve("long." + (kind.equals("w64") ? "w64" : "wav"));
        try (RandomAccessFile written = new RandomAccessFile(file.toFile(), "rw")) {
            written.write(header);
            written.seek(header.length + samples - TAIL);
            byte[] tail = new byte[TAIL];
            for (int i = 0; i < TAIL; i++) {
                tail[i] = (byte) (128 + i % 100);
            }
            written.write(tail);
        }
        return file;
    }

    private static byte[] rf64(long samples) {
        ByteBuffer header = ByteBuffer.allocate(80).order(ByteOrder.LITTLE_ENDIAN);
        header.put("RF64".getBytes(StandardCharsets.US_ASCII))
                .putInt(-1)
                .put("WAVEds64".getBytes(StandardCharsets.US_ASCII));
        header.putInt(28)
                .putLong(samples + 72)
                .putLong(samples)
                .putLong(samples)
                .putInt(0);
        header.put("fmt ".getBytes(StandardCharsets.US_ASCII)).putInt(16);
        format(header);
        return header.put("data".getBytes(StandardCharsets.US_ASCII)).putInt(-1).array();
    }

    private static void format(ByteBuffer header) {
        header.putShort((short) 1)
                .putShort((short) 1)
                .putInt(RATE)
                .putInt(RATE)
                .putShort((short) 1)
                .putShort((short) 8);
    }

    private static byte[] w64(long samples) {
        ByteBuffer header = ByteBuffer.allocate(104).order(ByteOrder.LITTLE_ENDIAN);
        byte[] riff = {
            0x2E, (byte) 0x91, (byte) 0xCF, 0x11, (byte) 0xA5, (byte) 0xD6, 0x28, (byte) 0xDB, 4, (byte) 0xC1, 0, 0
        };
        byte[] others = {
            (byte) 0xF3,
            (byte) 0xAC,
            (byte) 0xD3,
            0x11,
            (byte) 0x8C,
            (byte) 0xD1,
            0,
            (byte) 0xC0,
            0x4F,
            (byte) 0x8E,
            (byte) 0xDB,
            (byte) 0x8A
        };
        header.put("riff".getBytes(StandardCharsets.US_ASCII)).put(riff).putLong(104 + samples);
        header.put("wave".getBytes(StandardCharsets.US_ASCII)).put(others);
        header.put("fmt ".getBytes(StandardCharsets.US_ASCII)).put(others).putLong(24 + 16);
        format(header);
        header.put("data".getBytes(StandardCharsets.US_ASCII)).put(others).putLong(24 + samples);
        return header.array();
    }

    @ParameterizedTest
    @CsvSource({"rf64, true", "rf64, false", "w64, false"})
    void theEndOfASoundOfMoreThanTwoToThe31SamplesIsThere(String kind, boolean ownParser) throws IOException {
        Path file = longSound(kind);
        Rational begin = Rational.of((1L << 31) + TAIL - 4_000, RATE);
        AudioSpec spec = AudioSpec.original().window(TimeWindow.from(begin));
        AudioSpec used =
                ownParser ? spec : spec.decoding(DecodeOptions.standard().option("err_detect", "crccheck"));
        try (Tensor tensor = Audio.load(file, used)) {
            assertThat(tensor.shape().extents()).containsExactly(1, 4_000);
            for (int i = 0; i < 4_000; i++) {
                assertThat(tensor.segment().getAtIndex(ValueLayout.JAVA_FLOAT, i))
                        .isEqualTo((4_000 + i) % 100 / 128f);
            }
        }
    }

    /// Samples of fewer bits than their bytes have are read right by our parser. FFmpeg, which all but floats at
    /// the file's rate need, reads others where a whole byte has no bits: these are refused.
    @ParameterizedTest
    @CsvSource({"12, 16", "20, 24", "16, 24", "24, 32", "20, 32", "16, 32", "32, 32", "24, 24", "8, 8"})
    void samplesOfFewerBitsThanTheirBytesHaveAreReadRightOrRefused(int bits, int container) throws IOException {
        int channels = 2;
        int frames = 1_000;
        int bytes = container / 8;
        ByteBuffer file = ByteBuffer.allocate(68 + frames * channels * bytes).order(ByteOrder.LITTLE_ENDIAN);
        file.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(file.capacity() - 8);
        file.put("WAVEfmt ".getBytes(StandardCharsets.US_ASCII)).putInt(40).putShort((short) 0xFFFE);
        file.putShort((short) channels).putInt(RATE).putInt(RATE * channels * bytes);
        file.putShort((short) (channels * bytes)).putShort((short) container).putShort((short) 22);
        file.putShort((short) bits).putInt(3).putShort((short) 1);
        file.put(new byte[] {0, 0, 0, 0, 0x10, 0, (byte) 0x80, 0, 0, (byte) 0xAA, 0, 0x38, (byte) 0x9B, 0x71});
        assertThat(file.position()).isEqualTo(60);
        file.put("data".getBytes(StandardCharsets.US_ASCII)).putInt(frames * channels * bytes);
        int[] samples =
                new SplittableRandom(bits).ints((long) frames * channels).toArray();
        for (int i = 0; i < samples.length; i++) {
            samples[i] &= -1 << (32 - bits);
            for (int b = 0; b < bytes; b++) {
                int part = samples[i] >>> (32 - container + 8 * b);
                file.put((byte) (container == 8 ? part + 128 : part));
            }
        }
        Path path = Files.write(folder.resolve("bits.wav"), file.array());
        AudioSpec spec = AudioSpec.original().layout(SampleLayout.INTERLEAVED);
        try (Tensor floats = Audio.load(path, spec)) {
            for (int i = 0; i < samples.length; i++) {
                assertThat(floats.segment().getAtIndex(ValueLayout.JAVA_FLOAT, i))
                        .as("float %d", i)
                        .isEqualTo(samples[i] * 0x1p-31f);
            }
        }
        if ((bits + 7) / 8 < bytes) {
            assertThatThrownBy(() -> Audio.load(path, spec.elements(ElementType.INT32)))
                    .isInstanceOf(MediaException.class)
                    .hasMessageContaining("its samples of " + bytes + " bytes have at most");
            return;
        }
        try (Tensor integers = Audio.load(path, spec.elements(ElementType.INT32))) {
            for (int i = 0; i < samples.length; i++) {
                assertThat(integers.segment().getAtIndex(ValueLayout.JAVA_INT, i))
                        .as("integer %d", i)
                        .isEqualTo(samples[i]);
            }
        }
    }

    @Test
    void aSoundTooLongForTheLimitIsRefusedByName() throws IOException {
        Path file = longSound("rf64");
        AudioSpec spec = AudioSpec.original()
                .decoding(DecodeOptions.standard().limits(MediaLimits.standard().maxBytes(1L << 30)));
        assertThatThrownBy(() -> Audio.load(file, spec))
                .isInstanceOf(MediaException.class)
                .hasMessageContaining("the limit; take a window, or stream it");
    }

    @Test
    void theFirstSamplesOfAVeryLongSoundAreEnough() throws IOException {
        Path file = longSound("rf64");
        try (Tensor tensor = Audio.load(file, AudioSpec.original().samples(100))) {
            assertThat(tensor.shape().extents()).containsExactly(1, 100);
            assertThat(tensor.segment().getAtIndex(ValueLayout.JAVA_FLOAT, 99)).isEqualTo(-1f);
        }
    }

    /// Frames of one FLAC file behind those of another, of another rate.
    private Path changingRate(int first, int second) throws IOException {
        Path one = flac("one.flac", first);
        Path other = flac("other.flac", second);
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.write(Files.readAllBytes(one));
        byte[] bytes = Files.readAllBytes(other);
        int at = 4;
        boolean last = false;
        while (!last) {
            last = bytes[at] < 0;
            at += 4 + (((bytes[at + 1] & 0xFF) << 16) | ((bytes[at + 2] & 0xFF) << 8) | (bytes[at + 3] & 0xFF));
        }
        both.write(bytes, at, bytes.length - at);
        return Files.write(folder.resolve("both.flac"), both.toByteArray());
    }

    private Path flac(String name, int rate) {
        Path file = folder.resolve(name);
        Programs.run("ffmpeg -v error -y -f lavfi -i aevalsrc=0.4*sin(2*PI*440*t):s=" + rate
                + ":d=1 -c:a flac -sample_fmt s16 " + file);
        return file;
    }

    @Test
    void flacThatChangesItsRateIsRefusedByNameOrResampled() throws IOException {
        Path file = changingRate(44_100, 22_050);

        assertThatThrownBy(() -> Audio.load(file))
                .isInstanceOf(MediaException.class)
                .hasMessageContaining("44100 Hz")
                .hasMessageContaining("22050 Hz");
        try (Tensor tensor =
                Audio.load(file, AudioSpec.original().sampleRateHz(16_000).channels(1))) {
            assertThat(tensor.shape().extent(1)).isCloseTo(32_000L, within(80L));
            for (int second = 0; second < 2; second++) {
                double power = 0;
                for (int i = 1_000; i < 15_000; i++) {
                    double value = tensor.segment().getAtIndex(ValueLayout.JAVA_FLOAT, second * 16_000L + i);
                    power += value * value;
                }
                assertThat(Math.sqrt(power / 14_000)).isCloseTo(0.4 / Math.sqrt(2), within(0.01));
            }
        }
    }

    @Test
    void framesOfSeveralRatesAreNoTensor() throws IOException {
        Path file = changingRate(44_100, 22_050);
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(file));
                BufferPool pool = BufferPool.unbounded("frames");
                Frames frames = Decoder.decodeAll(
                        demuxer.packets(demuxer.info().require(StreamInfo.Kind.AUDIO), TimeWindow.all()))) {
            assertThatThrownBy(() -> frames.toTensor(pool).close())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("44100 Hz")
                    .hasMessageContaining("22050 Hz");
        }
    }

    /// Cut at any byte, as a recorder or a split program leaves it: what `ffmpeg` plays, we load, or say why not.
    @ParameterizedTest
    @ValueSource(strings = {"a.aac", "a.mp3", "a.ogg", "a.opus", "a.m4a", "s16.flac", "s16.wav", "a.mkv"})
    void aFileThatWasCutGivesWhatFfmpegGivesOrSaysWhyNot(String name) throws IOException {
        byte[] whole = Files.readAllBytes(TestMedia.file(name));
        for (boolean head : new boolean[] {true, false}) {
            for (int cut : List.of(50, 777, whole.length / 3)) {
                Path file = folder.resolve("cut-" + name);
                Files.write(
                        file,
                        head ? Arrays.copyOfRange(whole, cut, whole.length) : Arrays.copyOf(whole, whole.length - cut));
                String what = name + (head ? " from " : " without the last ") + cut;
                String strict = verdict(file, DecodeOptions.Damage.REFUSED);
                String theirs = theirs(file);
                assertThat(verdict(file, DecodeOptions.Damage.SKIPPED)).as(what).isEqualTo(theirs);
                assertThat(strict).as(what).isIn(theirs, "refused");
            }
        }
    }

    /// AAC's decoder has three errors for what it can't read.
    @Test
    void whatFfmpegPlaysOfADamagedFileIsLoadedIfDamageIsSkipped() throws IOException {
        byte[] whole = Files.readAllBytes(TestMedia.file("a.m4a"));
        SplittableRandom random = new SplittableRandom(9);
        for (int i = 0; i < 20; i++) {
            byte[] damaged = whole.clone();
            int from = i % 2 == 0 ? 0 : damaged.length / 8;
            for (int k = 0; k < 3; k++) {
                damaged[from + random.nextInt(damaged.length - from)] = (byte) random.nextInt(256);
            }
            Path file = Files.write(folder.resolve("cut-" + i + ".m4a"), damaged);
            assertThat(verdict(file, DecodeOptions.Damage.SKIPPED))
                    .as("file %d", i)
                    .isEqualTo(theirs(file));
        }
    }

    /// As when sounds are put together by `cat`: the header tells the length of the first.
    @Test
    void flacFilesPutTogetherAreHeardToTheEnd() throws IOException {
        Path file = changingRate(44_100, 44_100);
        try (Tensor tensor = Audio.load(file)) {
            assertThat(tensor.shape().extents()).containsExactly(1, 88_200);
        }
    }

    /// What FFmpeg does not take for a tag comes out of it as packets.
    @ParameterizedTest
    @ValueSource(strings = {"APETAGEX", "LYRICSBEGIN"})
    void tagsBehindAnMp3FileAreNotDamage(String name) throws IOException {
        Path file = Files.copy(TestMedia.file("a.mp3"), folder.resolve("tagged.mp3"));
        byte[] tag = new byte[5_000];
        new SplittableRandom(5).nextBytes(tag);
        System.arraycopy(name.getBytes(StandardCharsets.US_ASCII), 0, tag, 0, name.length());
        Files.write(file, tag, StandardOpenOption.APPEND);

        assertThat(verdict(file, DecodeOptions.Damage.REFUSED)).isEqualTo(theirs(file));
    }

    @Test
    void otherBytesBehindAnMp3FileAreDamage() throws IOException {
        Path file = Files.copy(TestMedia.file("a.mp3"), folder.resolve("cut-and-longer.mp3"));
        Files.write(file, new byte[5_000], StandardOpenOption.APPEND);

        assertThat(verdict(file, DecodeOptions.Damage.REFUSED)).isEqualTo("refused");
    }

    @Test
    void tagsBehindAFlacFileAreNotDamage() throws IOException {
        Path file = flac("tagged.flac", 44_100);
        byte[] tag = new byte[128];
        tag[0] = 'T';
        tag[1] = 'A';
        tag[2] = 'G';
        Files.write(file, tag, StandardOpenOption.APPEND);
        try (Tensor tensor = Audio.load(file)) {
            assertThat(tensor.shape().extents()).containsExactly(1, 44_100);
        }
    }

    private static String verdict(Path file, DecodeOptions.Damage damage) {
        AudioSpec spec = AudioSpec.original()
                .layout(SampleLayout.INTERLEAVED)
                .decoding(DecodeOptions.standard().damage(damage));
        try (Tensor tensor = Audio.load(file, spec)) {
            return tensor.shape().extent(0) + " samples";
        } catch (MediaException refused) {
            assertThat(refused).hasMessageContaining("cut-");
            return "refused";
        }
    }

    private static String theirs(Path file) {
        try {
            return Programs.run("ffmpeg -v quiet -i " + file + " -map 0:a:0 -f s16le -").length / 4 + " samples";
        } catch (AssertionError failed) {
            return "refused";
        }
    }

    /// Its frames begin as those of bare AAC do, whose lengths they were followed by.
    @Test
    void flacWithoutItsHeaderIsHeardWhole() throws IOException {
        byte[] file = Files.readAllBytes(TestMedia.file("long-s16.flac"));
        int at = 4;
        boolean isLast;
        do {
            isLast = file[at] < 0;
            at += 4 + (ByteBuffer.wrap(file).getInt(at) & 0xFF_FFFF);
        } while (!isLast);
        byte[] frames = Arrays.copyOfRange(file, at, file.length);
        try (Tensor whole = Audio.load(MediaSource.of(file), AudioSpec.original());
                Tensor bare = Audio.load(MediaSource.of(frames), AudioSpec.original())) {
            assertThat(bare.shape()).isEqualTo(whole.shape());
            assertThat(bare.segment().mismatch(whole.segment())).isEqualTo(-1);
        }
    }
}
