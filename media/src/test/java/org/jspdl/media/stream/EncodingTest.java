package org.jspdl.media.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspdl.media.audio.Audio;
import org.jspdl.media.audio.AudioSpec;
import org.jspdl.media.encode.Encoder;
import org.jspdl.media.encode.EncoderSpec;
import org.jspdl.media.encode.MediaTarget;
import org.jspdl.media.encode.Muxer;
import org.jspdl.media.frame.Decoder;
import org.jspdl.media.frame.FilterGraph;
import org.jspdl.media.frame.Frames;
import org.jspdl.media.frame.TensorFrames;
import org.jspdl.media.video.Video;
import org.jspdl.media.video.VideoSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Filters, encoders, muxers, and ways in: what was written is read by `ffprobe` and by ourselves.
class EncodingTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"libopenh264, out.mp4, h264", "mjpeg, out.avi, mjpeg", "libopenh264, out.mkv, h264"})
    void picturesOfATensorBecomeAVideo(String encoder, String name, String codec) {
        Path file = folder.resolve(name);
        EncoderSpec spec = EncoderSpec.video(encoder, 96, 64, Rational.of(25)).bitRate(2_000_000);
        try (Tensor pictures = Video.load(TestMedia.file("h264.mp4"))) {
            write(file, spec, TensorFrames.pictures(pictures, Rational.of(25)));

            assertThat(probe(file, "stream=codec_name,width,height,r_frame_rate"))
                    .isEqualTo(codec + ",96,64,25/1");
            try (Tensor read = Video.load(file)) {
                assertThat(read.shape()).isEqualTo(pictures.shape());
                assertThat(meanDifference(read, pictures)).isLessThan(20);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "flac, out.flac, flac, 44100",
        "pcm_s16le, out.wav, pcm_s16le, 44100",
        "aac, out.m4a, aac, 44100",
        "libopus, out.ogg, opus, 48000"
    })
    void soundOfATensorBecomesAFile(String encoder, String name, String codec, int rate) {
        Path file = folder.resolve(name);
        try (Tensor sound = Audio.load(TestMedia.file("s16.wav"))) {
            write(file, EncoderSpec.audio(encoder, rate, 2), TensorFrames.sound(sound, 44_100));

            assertThat(probe(file, "stream=codec_name,sample_rate,channels")).isEqualTo(codec + "," + rate + ",2");
            try (Tensor read = Audio.load(file, AudioSpec.original().sampleRateHz(44_100))) {
                assertThat(read.shape().extent(1)).isBetween(57_000L, 59_500L);
                if (encoder.equals("flac") || encoder.startsWith("pcm")) {
                    assertThat(read.segment().mismatch(sound.segment())).isEqualTo(-1);
                }
            }
        }
    }

    @Test
    void severalStreamsGoIntoOneFile() {
        EncoderSpec video = EncoderSpec.video("libopenh264", 96, 64, Rational.of(25));
        EncoderSpec audio = EncoderSpec.audio("aac", 44_100, 2);
        try (Tensor pictures = Video.load(TestMedia.file("h264.mp4"));
                Tensor sound = Audio.load(TestMedia.file("s16.wav"));
                MediaTarget.Memory target = MediaTarget.memory();
                Muxer muxer = Muxer.create(target, "mp4");
                Encoder first = muxer.add(video);
                Encoder second = muxer.add(audio)) {
            muxer.open();
            muxer.write(0, first.encode(TensorFrames.pictures(pictures, Rational.of(25))));
            muxer.write(1, second.encode(TensorFrames.sound(sound, 44_100)));
            muxer.write(0, first.flush());
            muxer.write(1, second.flush());
            muxer.finish();

            try (Demuxer demuxer = Demuxer.open(MediaSource.of(target.toByteArray()))) {
                assertThat(demuxer.info().streams())
                        .extracting(StreamInfo::codec)
                        .containsExactly("h264", "aac");
            }
        }
    }

    @Test
    void remuxingKeepsEveryPacket() {
        Path from = TestMedia.file("both.mp4");
        Path to = folder.resolve("copy.mkv");
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(from));
                Muxer muxer = Muxer.create(MediaTarget.of(to), "")) {
            Muxer.remux(demuxer, muxer, demuxer.info().streams().toArray(StreamInfo[]::new));
        }
        assertThat(TestMedia.pictures(to, "")).isEqualTo(TestMedia.pictures(from, ""));
    }

    @Test
    void bitstreamFiltersChangePacketsWithoutDecoding() {
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(TestMedia.file("h264.mp4")))) {
            StreamInfo stream = demuxer.info().require(StreamInfo.Kind.VIDEO);
            try (BitstreamFilter filter = BitstreamFilter.open(stream, "h264_mp4toannexb");
                    Packets filtered = filter.filter(demuxer.packets(stream, TimeWindow.all()));
                    Packet first = Packet.create()) {
                filtered.get(0, first);
                assertThat(first.data().get(ValueLayout.JAVA_INT_UNALIGNED, 0)).isEqualTo(0x01000000);
                try (Frames frames = Decoder.decodeAll(filtered.copy())) {
                    assertThat(frames.count()).isEqualTo(35);
                }
            }
            assertThatThrownBy(() -> BitstreamFilter.open(stream, "no_such"))
                    .hasMessageContaining("bitstream filter 'no_such'");
        }
    }

    @Test
    void filterGraphsDoWhatFfmpegDoes() {
        Path file = TestMedia.file("h264.mp4");
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(file));
                FilterGraph graph = FilterGraph.of("hflip,crop=48:32");
                BufferPool pool = BufferPool.create("test", 1L << 24)) {
            Packets packets = demuxer.packets(demuxer.info().require(StreamInfo.Kind.VIDEO), TimeWindow.all());
            try (Frames filtered = graph.filter(Decoder.decodeAll(packets));
                    Tensor tensor = filtered.toTensor(pool)) {
                assertThat(tensor.segment().toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(TestMedia.pictures(file, "-vf hflip,crop=48:32"));
            }
        }
    }

    @Test
    void filterErrorsNameTheFilterAndTheDifference() {
        try (BufferPool pool = BufferPool.create("test", 1L << 20);
                Tensor small = Tensor.allocate(ElementType.UINT8, Shape.of(1, 32, 48, 3), pool);
                Tensor large = Tensor.allocate(ElementType.UINT8, Shape.of(1, 32, 64, 3), pool);
                FilterGraph wrong = FilterGraph.of("nosuchfilter");
                FilterGraph graph = FilterGraph.of(List.of("a", "b"), "[a][b]hstack[out]", List.of("out"))) {
            assertThatThrownBy(() -> wrong.filter(TensorFrames.pictures(small, Rational.of(25))))
                    .hasMessageContaining("nosuchfilter")
                    .hasMessageContaining("No such filter");
            graph.add("a", TensorFrames.pictures(small, Rational.of(25)));
            graph.add("b", TensorFrames.pictures(large, Rational.of(25)));
            try (Frames joined = graph.take("out")) {
                assertThat(joined.get(0).width()).isEqualTo(112);
            }
            assertThatThrownBy(() -> graph.add("a", TensorFrames.pictures(large, Rational.of(25))))
                    .hasMessageContaining("width was 48 and is 64");
        }
    }

    @Test
    void everyKindOfSourceGivesTheSameFrames() throws Exception {
        byte[] bytes = Files.readAllBytes(TestMedia.file("h264.mkv"));
        MediaSource.RangeReader ranges = new MediaSource.RangeReader() {
            @Override
            public long byteSize() {
                return bytes.length;
            }

            @Override
            public int read(long position, MemorySegment into) {
                int count = (int) Math.min(1_000, into.byteSize());
                MemorySegment.copy(bytes, (int) position, into, ValueLayout.JAVA_BYTE, 0, count);
                return count;
            }
        };
        List<MediaSource> sources = List.of(
                MediaSource.of(TestMedia.file("h264.mkv")),
                MediaSource.of(new ByteArrayInputStream(bytes), "stream"),
                MediaSource.of(Files.newByteChannel(TestMedia.file("h264.mkv")), "channel"),
                MediaSource.of(ranges, "ranges"));
        try (Tensor expected = Video.load(MediaSource.of(bytes), VideoSpec.original())) {
            for (MediaSource source : sources) {
                try (Tensor tensor = Video.load(source, VideoSpec.original())) {
                    assertThat(tensor.segment().mismatch(expected.segment()))
                            .as(source.name())
                            .isEqualTo(-1);
                }
            }
        }
    }

    private static void write(Path file, EncoderSpec spec, Frames frames) {
        try (Muxer muxer = Muxer.create(MediaTarget.of(file), "");
                Encoder encoder = muxer.add(spec)) {
            muxer.open();
            muxer.write(0, encoder.encode(frames));
            muxer.write(0, encoder.flush());
            muxer.finish();
        }
    }

    private static String probe(Path file, String entries) {
        return new String(
                        Programs.run("ffprobe -v error -show_entries " + entries + " -of csv=p=0 " + file),
                        StandardCharsets.UTF_8)
                .strip();
    }

    private static double meanDifference(Tensor a, Tensor b) {
        double sum = 0;
        for (long i = 0; i < a.segment().byteSize(); i++) {
            sum += Math.abs((a.segment().get(ValueLayout.JAVA_BYTE, i) & 0xFF)
                    - (b.segment().get(ValueLayout.JAVA_BYTE, i) & 0xFF));
        }
        return sum / a.segment().byteSize();
    }
}
