package org.jspdl.media.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspdl.input.MediaException;
import org.jspdl.media.audio.AudioDecoder;
import org.jspdl.media.audio.AudioSpec;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.video.FrameIndex;
import org.jspdl.media.video.VideoDecoder;
import org.jspdl.media.video.VideoSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that were cut off, as by a download that broke: refused, or all of it is there. Fewer frames or samples,
/// without a word, would pass for a shorter recording.
///
/// 10 cuts of each file in every build, 400 with `-Dcampaign=true`.
class CutFilesTest {
    private static final int CUTS = Boolean.getBoolean("campaign") ? 400 : 10;
    private static final String PICTURES = "-f lavfi -i testsrc2=size=96x64:rate=25:duration=2";
    private static final String SOUND = "-f lavfi -i anoisesrc=color=pink:amplitude=0.4:seed=7:r=48000:d=2";

    /// By name: the options of `ffmpeg`. All say at their beginning how long they are.
    private static final Map<String, String> FILES = new TreeMap<>(Map.ofEntries(
            Map.entry("both.mp4", "-c:v libx264 -g 12 -bf 2 -pix_fmt yuv420p -c:a aac -movflags +faststart"),
            Map.entry("h264.mp4", "-an -c:v libx264 -g 12 -bf 2 -pix_fmt yuv420p -movflags +faststart"),
            Map.entry("hevc.mp4", "-an -c:v libx265 -x265-params log-level=none -pix_fmt yuv420p -movflags +faststart"),
            Map.entry("prores.mov", "-c:v prores -pix_fmt yuv422p10le -c:a pcm_s16le -movflags +faststart"),
            Map.entry("h264.mkv", "-c:v libx264 -g 12 -pix_fmt yuv420p -c:a libopus"),
            Map.entry("vp9.webm", "-c:v libvpx-vp9 -g 12 -deadline realtime -cpu-used 8 -c:a libopus"),
            Map.entry("mpeg4.avi", "-c:v mpeg4 -g 12 -c:a libmp3lame"),
            Map.entry("aac.m4a", "-vn -c:a aac -movflags +faststart"),
            Map.entry("alac.m4a", "-vn -c:a alac -movflags +faststart"),
            Map.entry("pcm.mov", "-vn -c:a pcm_s16le -movflags +faststart"),
            Map.entry("flac.mkv", "-vn -c:a flac"),
            Map.entry("pcm.mkv", "-vn -c:a pcm_s16le"),
            Map.entry("opus.webm", "-vn -c:a libopus"),
            Map.entry("flac.flac", "-vn -c:a flac"),
            Map.entry("cbr.mp3", "-vn -c:a libmp3lame -b:a 96k -id3v2_version 0"),
            Map.entry("vbr.mp3", "-vn -c:a libmp3lame -q:a 4 -id3v2_version 0"),
            Map.entry("mono.mp3", "-vn -ac 1 -ar 16000 -c:a libmp3lame -id3v2_version 0"),
            Map.entry("rf64.wav", "-vn -c:a pcm_s16le -rf64 always"),
            Map.entry("s16.w64", "-vn -c:a pcm_s16le"),
            Map.entry("wmv2.wmv", "-c:v wmv2 -g 12 -c:a wmav2"),
            Map.entry("mp3.asf", "-vn -c:a libmp3lame"),
            Map.entry("s16.wav", "-vn -c:a pcm_s16le"),
            Map.entry("f32.wav", "-vn -c:a pcm_f32le"),
            Map.entry("adpcm.wav", "-vn -c:a adpcm_ms"),
            Map.entry("s16.aiff", "-vn -c:a pcm_s16be"),
            Map.entry("s16.au", "-vn -c:a pcm_s16be"),
            Map.entry("s16.caf", "-vn -c:a pcm_s16le"),
            Map.entry("s16.avi", "-vn -c:a pcm_s16le")));

    @TempDir
    Path folder;

    private static String options(String name) {
        return Objects.requireNonNull(FILES.get(name), name);
    }

    private byte[] file(String name) throws IOException {
        Path file = folder.resolve(name);
        Programs.run("ffmpeg -v error -y " + PICTURES + " " + SOUND + " " + options(name) + " " + file);
        return Files.readAllBytes(file);
    }

    /// What is loaded of a source.
    @FunctionalInterface
    private interface Loading {
        Tensor of(MediaSource source, BufferPool pool);
    }

    private static List<Loading> loadings(String options, DecodeOptions decoding) {
        VideoSpec video = VideoSpec.of(ImageSpec.original()).decoding(decoding);
        AudioSpec sound = AudioSpec.original().decoding(decoding);
        Loading pictures = (source, pool) -> {
            try (VideoDecoder decoder = VideoDecoder.create(video)) {
                return decoder.decode(source, pool);
            }
        };
        Loading chosen = (source, pool) -> {
            try (VideoDecoder decoder = VideoDecoder.create(video)) {
                return decoder.frames(source, new int[] {0, 3, 11}, pool);
            }
        };
        Loading samples = (source, pool) -> {
            try (AudioDecoder decoder = AudioDecoder.create(sound)) {
                return decoder.decode(source, pool);
            }
        };
        Loading doubles = (source, pool) -> {
            try (AudioDecoder decoder = AudioDecoder.create(sound.elements(ElementType.FLOAT64))) {
                return decoder.decode(source, pool);
            }
        };
        return options.contains("-vn") ? List.of(samples, doubles) : List.of(pictures, chosen);
    }

    @Test
    void aFileThatIsCutOffIsRefusedOrWhole() throws IOException {
        SplittableRandom random = new SplittableRandom(CUTS);
        for (String name : FILES.keySet()) {
            byte[] whole = file(name);
            Set<Integer> lengths = new TreeSet<>(List.of(whole.length - 1, whole.length - 2, whole.length - 9));
            while (lengths.size() < CUTS) {
                lengths.add(random.nextInt(whole.length / 8, whole.length));
            }
            try (BufferPool pool = BufferPool.create("test", 1 << 28)) {
                for (Loading loading : loadings(options(name), DecodeOptions.standard())) {
                    check(name, whole, lengths, loading, pool);
                }
            }
        }
    }

    private static void check(String name, byte[] whole, Set<Integer> lengths, Loading loading, BufferPool pool) {
        int refused = 0;
        try (Tensor expected = loading.of(MediaSource.of(whole), pool)) {
            for (int length : lengths) {
                try (Tensor cut = loading.of(MediaSource.of(Arrays.copyOf(whole, length)), pool)) {
                    String what = name + " with " + length + " of its " + whole.length + " bytes";
                    assertThat(cut.shape()).as(what).isEqualTo(expected.shape());
                    assertThat(cut.segment().mismatch(expected.segment()))
                            .as(what)
                            .isEqualTo(-1);
                } catch (MediaException | IndexOutOfBoundsException missing) {
                    refused++;
                }
            }
        }
        assertThat(refused).as(name).isGreaterThan(lengths.size() / 4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "both.mp4",
                "h264.mkv",
                "mpeg4.avi",
                "alac.m4a",
                "pcm.mkv",
                "s16.wav",
                "rf64.wav",
                "s16.caf",
                "cbr.mp3"
            })
    void whatIsThereIsTheBeginningIfDamageIsSkipped(String name) throws IOException {
        byte[] whole = file(name);
        boolean sound = options(name).contains("-vn");
        DecodeOptions skipping = DecodeOptions.standard().damage(DecodeOptions.Damage.SKIPPED);
        try (BufferPool pool = BufferPool.create("test", 1 << 28)) {
            Loading loading = loadings(options(name), skipping).getFirst();
            try (Tensor expected = loading.of(MediaSource.of(whole), pool);
                    Tensor there = loading.of(MediaSource.of(Arrays.copyOf(whole, whole.length * 2 / 3)), pool)) {
                int dimension = sound ? 1 : 0;
                long count = there.shape().extent(dimension);
                assertThat(count).isBetween(1L, expected.shape().extent(dimension) - 1);
                if (!sound) {
                    // of the last picture a part may be missing
                    MemorySegment before =
                            there.segment().asSlice(0, there.segment().byteSize() / count * (count - 1));
                    assertThat(before.mismatch(expected.segment())).isEqualTo(before.byteSize());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"both.mp4", "h264.mkv"})
    void aWindowBeforeTheCutIsDecoded(String name) throws IOException {
        byte[] whole = file(name);
        byte[] part = Arrays.copyOf(whole, whole.length * 7 / 8);
        VideoSpec spec = VideoSpec.of(ImageSpec.original()).window(TimeWindow.of(0.2, 0.6));
        try (BufferPool pool = BufferPool.create("test", 1 << 28);
                VideoDecoder decoder = VideoDecoder.create(spec);
                Tensor expected = decoder.decode(MediaSource.of(whole), pool);
                Tensor there = decoder.decode(MediaSource.of(part), pool)) {
            assertThat(there.shape()).isEqualTo(expected.shape());
            assertThat(there.segment().mismatch(expected.segment())).isEqualTo(-1);
        }
    }

    @Test
    void framesChosenByAnIndexOfWhatIsThereAreRefusedByName() throws IOException {
        byte[] whole = file("both.mp4");
        MediaSource part = MediaSource.of(Arrays.copyOf(whole, whole.length * 7 / 8));
        try (BufferPool pool = BufferPool.create("test", 1 << 28);
                VideoDecoder decoder = VideoDecoder.create(VideoSpec.of(ImageSpec.original()))) {
            FrameIndex index = FrameIndex.of(part);

            assertThat(index.frames()).isLessThan(50);
            assertThatThrownBy(() -> decoder.frames(part, index, new int[] {1}, pool))
                    .isInstanceOf(MediaException.class)
                    .hasMessageContaining("frames are missing")
                    .hasMessageContaining("Damage.SKIPPED");
        }
    }
}
