package org.jspdl.media.video;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspdl.input.MediaException;
import org.jspdl.media.image.Channels;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Layout;
import org.jspdl.media.image.Normalization;
import org.jspdl.media.image.Quality;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class VideoTest {
    private static final String REFERENCE = "-pix_fmt rgb24";
    /// Chroma of more than 8 bits is interpolated across. This release of `ffmpeg` takes it to be in the middle of
    /// pixels, whatever the stream says, and its bilinear filter to be half a row higher.
    private static final Map<String, String> INTERPOLATED = Map.of(
            "h264-10bit.mp4", "-vf scale=in_h_chr_pos=0:in_v_chr_pos=128:flags=bicubic+full_chroma_int ",
            "prores.mov", "-vf scale=flags=bilinear+full_chroma_int ");

    static List<String> videos() {
        return TestMedia.videos();
    }

    static List<String> timedVideos() {
        return TestMedia.timedVideos();
    }

    @ParameterizedTest
    @MethodSource("videos")
    void aWholeVideoHasTheColorsThatFfmpegGivesIt(String name) {
        Path file = TestMedia.file(name);
        byte[] expected = TestMedia.pictures(file, INTERPOLATED.getOrDefault(name, "") + REFERENCE);
        try (Tensor tensor = Video.load(file)) {
            assertThat(tensor.shape().extent(3)).isEqualTo(3);
            if (name.equals("h264-odd.mkv")) {
                // `ffmpeg` stretches chroma that ends behind the picture, by up to a pixel.
                assertThat(meanDifference(bytes(tensor), expected)).isLessThan(6);
            } else {
                assertClose(bytes(tensor), expected);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("timedVideos")
    void sampledFramesAreThoseOfTheWholeVideo(String name) {
        Path file = TestMedia.file(name);
        int[] indices = {30, 3, 17, 3, 8, 0, 23, 24, 25};
        try (Tensor whole = Video.load(file);
                Tensor some = Video.frames(file, indices)) {
            for (int i = 0; i < indices.length; i++) {
                assertThat(some.row(i).mismatch(whole.row(indices[i])))
                        .as("frame %d", indices[i])
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void exactQualityInterpolatesChroma() {
        Path file = TestMedia.file("h264.mp4");
        byte[] expected = TestMedia.pictures(
                file,
                "-vf scale=in_h_chr_pos=0:in_v_chr_pos=128"
                        + ":flags=bilinear+accurate_rnd+full_chroma_int+full_chroma_inp -pix_fmt rgb24");
        VideoSpec exact = VideoSpec.of(ImageSpec.original().quality(Quality.EXACT));
        try (Tensor interpolated = Video.load(file, exact);
                Tensor quick = Video.load(file)) {
            // The test picture is nothing but edges, where versions of libswscale differ.
            assertThat(meanDifference(bytes(interpolated), expected))
                    .isLessThan(0.6 * meanDifference(bytes(quick), expected));
        }
    }

    @Test
    void everyLayoutHoldsTheSamePixels() {
        Path file = TestMedia.file("h264-444.mp4");
        VideoSpec planes = VideoSpec.of(ImageSpec.original().layout(Layout.NCHW));
        VideoSpec floats = VideoSpec.of(ImageSpec.original()
                .layout(Layout.NCHW)
                .elements(ElementType.FLOAT32)
                .normalization(Normalization.imageNet()));
        VideoSpec backwards = VideoSpec.of(ImageSpec.original().channels(Channels.BGR));
        try (Tensor nhwc = Video.load(file);
                Tensor nchw = Video.load(file, planes);
                Tensor cnhw = Video.load(file, planes.channelsOutermost());
                Tensor normalized = Video.load(file, floats);
                Tensor bgr = Video.load(file, backwards)) {
            long n = nhwc.shape().extent(0);
            long pixels = 95 * 63;
            assertThat(nchw.shape().extents()).containsExactly(n, 3, 63, 95);
            assertThat(cnhw.shape().extents()).containsExactly(3, n, 63, 95);
            for (long f = 0; f < n; f += 7) {
                for (long p = 0; p < pixels; p += 31) {
                    for (int c = 0; c < 3; c++) {
                        int value = at(nhwc, (f * pixels + p) * 3 + c);
                        assertThat(at(nchw, (f * 3 + c) * pixels + p)).isEqualTo(value);
                        assertThat(at(cnhw, (c * n + f) * pixels + p)).isEqualTo(value);
                        assertThat(at(bgr, (f * pixels + p) * 3 + 2 - c)).isEqualTo(value);
                        assertThat(normalized.segment().getAtIndex(ValueLayout.JAVA_FLOAT, (f * 3 + c) * pixels + p))
                                .isCloseTo(
                                        value * Normalization.imageNet().scale(c)
                                                + Normalization.imageNet().bias(c),
                                        within(1e-6f));
                    }
                }
            }
        }
    }

    @Test
    void framesAreResizedAndCroppedLikeImages() {
        Path file = TestMedia.file("prores.mov");
        ImageSpec look = ImageSpec.shorterSide(40).centerCrop(32, 24);
        byte[] expected = TestMedia.pictures(
                file,
                "-vf scale=60:40:flags=bilinear+accurate_rnd+full_chroma_int+full_chroma_inp,crop=32:24:14:8"
                        + " -pix_fmt rgb24");
        try (Tensor tensor = Video.load(file, VideoSpec.of(look))) {
            assertThat(tensor.shape().extents()).containsExactly(35, 24, 32, 3);
            assertClose(bytes(tensor), expected);
        }
    }

    @Test
    void aFrameRateRepeatsAndDropsFramesAsFfmpegDoes() {
        for (String name : List.of("h264.mp4", "vfr.mkv")) {
            for (String rate : List.of("10", "60", "30000/1001")) {
                Path file = TestMedia.file(name);
                byte[] expected = Programs.run("ffmpeg -v error -i " + file + " -vf fps=" + rate
                        + " -fps_mode passthrough " + REFERENCE + " -f rawvideo -");
                VideoSpec spec = VideoSpec.original().frameRate(Rational.parse(rate));
                try (Tensor tensor = Video.load(file, spec)) {
                    assertClose(bytes(tensor), expected);
                }
            }
        }
    }

    @Test
    void aRateOfMoreFramesThanATensorHasIsRefusedUnlessAFewAreWanted() {
        Path file = TestMedia.file("h264.mp4");
        VideoSpec spec = VideoSpec.original().frameRate(Rational.of(1_000_000_000));

        assertThatThrownBy(() -> Video.load(file, spec))
                .isInstanceOf(MediaException.class)
                .hasMessageContaining("h264.mp4")
                .hasMessageContaining("1,400,000,000 frames, more than the 1,048,576");
        try (Tensor whole = Video.load(file);
                Tensor first = Video.load(file, spec.frames(3))) {
            for (int row = 0; row < 3; row++) {
                assertThat(first.row(row).mismatch(whole.row(0))).isEqualTo(-1);
            }
        }
    }

    @Test
    void anExactNumberOfFramesIsCutOrRepeatsTheLast() {
        Path file = TestMedia.file("h264.mp4");
        try (Tensor whole = Video.load(file);
                Tensor cut = Video.load(file, VideoSpec.original().frames(4));
                Tensor longer = Video.load(file, VideoSpec.original().frames(40))) {
            assertThat(cut.shape().extent(0)).isEqualTo(4);
            assertThat(cut.row(3).mismatch(whole.row(3))).isEqualTo(-1);
            assertThat(longer.shape().extent(0)).isEqualTo(40);
            assertThat(longer.row(39).mismatch(whole.row(34))).isEqualTo(-1);
        }
    }

    @Test
    void aWindowHasTheFramesThatBeginInIt() {
        Path file = TestMedia.file("h264-opengop.mp4");
        try (Tensor whole = Video.load(file);
                Tensor part = Video.load(file, VideoSpec.original().window(TimeWindow.of(0.4, 0.8)))) {
            assertThat(part.shape().extent(0)).isEqualTo(10);
            assertThat(part.segment()
                            .mismatch(whole.segment()
                                    .asSlice(10 * 96 * 64 * 3, part.segment().byteSize())))
                    .isEqualTo(-1);
        }
    }

    @Test
    void rotatedVideosStandUpright() {
        byte[] expected = Programs.run("ffmpeg -v error -i " + TestMedia.file("rotated.mp4") + " " + REFERENCE
                + " -fps_mode passthrough -f rawvideo -");
        try (Tensor upright = Video.load(TestMedia.file("rotated.mp4"))) {
            assertThat(upright.shape().extents()).containsExactly(35, 96, 64, 3);
            assertClose(bytes(upright), expected);
        }
    }

    /// The eight ways to show a picture, as the matrix of an MP4 file's track.
    @ParameterizedTest
    @CsvSource({
        "1, 0, 0, 1", "-1, 0, 0, 1", "1, 0, 0, -1", "-1, 0, 0, -1",
        "0, 1, 1, 0", "0, -1, 1, 0", "0, 1, -1, 0", "0, -1, -1, 0"
    })
    void turnedAndMirroredVideosAreShownAsFfmpegShowsThem(int a, int b, int c, int d, @TempDir Path folder)
            throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(TestMedia.file("h264.mp4")));
        int at = new String(bytes.array(), StandardCharsets.ISO_8859_1).indexOf("tkhd") + 4 + 40;
        assertThat(bytes.getInt(at + 32)).as("the end of the matrix").isEqualTo(0x4000_0000);
        bytes.putInt(at, a << 16)
                .putInt(at + 4, b << 16)
                .putInt(at + 12, c << 16)
                .putInt(at + 16, d << 16);
        Path file = Files.write(folder.resolve("shown.mp4"), bytes.array());
        byte[] expected = Programs.run(
                "ffmpeg -v error -i " + file + " -map 0:v:0 -fps_mode passthrough " + REFERENCE + " -f rawvideo -");
        try (Tensor tensor = Video.load(file);
                Tensor cut = Video.load(file, VideoSpec.of(ImageSpec.original().centerCrop(20, 30)))) {
            assertThat(tensor.shape().extents()).containsExactly(35, a == 0 ? 96 : 64, a == 0 ? 64 : 96, 3);
            assertClose(bytes(tensor), expected);
            int left = (int) (tensor.shape().extent(2) - 20) / 2;
            int top = (int) (tensor.shape().extent(1) - 30) / 2;
            for (int y = 0; y < 30; y++) {
                long line = (y + top) * tensor.shape().extent(2) * 3;
                assertThat(cut.segment()
                                .asSlice(y * 60L, 60)
                                .mismatch(tensor.segment().asSlice(line + left * 3L, 60)))
                        .as("row %d", y)
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void framesBeforeTheCutOfAnEditListAreNotShown() {
        Path file = TestMedia.file("cut.mp4");
        try (Tensor tensor = Video.load(file)) {
            assertClose(bytes(tensor), TestMedia.pictures(file, REFERENCE));
        }
    }

    @Test
    void anIndexCanBeKeptAndReused() throws Exception {
        Path file = TestMedia.file("h264.mp4");
        FrameIndex index = Video.index(file);
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        index.writeTo(kept);

        FrameIndex read = FrameIndex.readFrom(new ByteArrayInputStream(kept.toByteArray()));

        assertThat(read).isEqualTo(index);
        assertThat(read.frames()).isEqualTo(35);
        assertThat(read.keyFrames()).contains(0, 12);
        assertThat(read.frameAt(Rational.parse("0.41"))).isEqualTo(10);
        try (BufferPool pool = BufferPool.create("test", 1L << 24);
                VideoDecoder decoder = VideoDecoder.create(VideoSpec.original());
                Tensor one = decoder.frames(MediaSource.of(file), read, new int[] {13}, pool);
                Tensor again = Video.frames(file, 13)) {
            assertThat(one.segment().mismatch(again.segment())).isEqualTo(-1);
        }
    }

    @Test
    void anIndexOfTheFirstVersionIsRefused() throws Exception {
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        Video.index(TestMedia.file("h264.mp4")).writeTo(kept);
        byte[] old = kept.toByteArray();
        old[3] = '1';

        assertThatThrownBy(() -> FrameIndex.readFrom(new ByteArrayInputStream(old)))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("version 1", "version is 2", "make it again with FrameIndex.of");
    }

    @Test
    void aDecoderIsReusedForTheNextFile() throws Exception {
        byte[] bytes = Files.readAllBytes(TestMedia.file("h264.mp4"));
        try (BufferPool pool = BufferPool.create("test", 1L << 24);
                VideoDecoder decoder = VideoDecoder.create(VideoSpec.original());
                Tensor first = decoder.decode(MediaSource.of(bytes), pool);
                Tensor second = decoder.decode(MediaSource.of(bytes), pool)) {
            assertThat(first.segment().mismatch(second.segment())).isEqualTo(-1);
        }
    }

    @Test
    void errorsNameTheFileAndWhatIsWrong() {
        Path file = TestMedia.file("h264.mp4");

        assertThatThrownBy(() -> Video.load(Path.of("nowhere.mp4")))
                .isInstanceOf(MediaException.class)
                .hasMessage("nowhere.mp4: cannot be opened: there is no such file");
        assertThatThrownBy(() -> Video.load(TestMedia.file("s16.flac")))
                .hasMessageEndingWith("there is no video stream in it");
        assertThatThrownBy(() -> Video.frames(file, 35)).hasMessage("frame 35 of a video with 35");
        assertThatThrownBy(() -> Video.load(file, VideoSpec.original().window(TimeWindow.of(7, 8))))
                .hasMessage(file + ": stream 0 (h264): there are no frames in [7, 8)");
    }

    private static int at(Tensor tensor, long index) {
        return tensor.segment().get(ValueLayout.JAVA_BYTE, index) & 0xFF;
    }

    private static byte[] bytes(Tensor tensor) {
        return tensor.segment().toArray(ValueLayout.JAVA_BYTE);
    }

    /// The same pictures, converted by another version of libswscale, which rounds and interpolates chroma
    /// otherwise.
    private static void assertClose(byte[] ours, byte[] reference) {
        assertThat(ours.length).isEqualTo(reference.length);
        assertThat(meanDifference(ours, reference)).as("mean difference").isLessThan(3);
    }

    private static double meanDifference(byte[] ours, byte[] reference) {
        double sum = 0;
        for (int i = 0; i < ours.length; i++) {
            sum += Math.abs((ours[i] & 0xFF) - (reference[i] & 0xFF));
        }
        return sum / ours.length;
    }
}
