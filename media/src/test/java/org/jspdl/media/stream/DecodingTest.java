package org.jspdl.media.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspdl.media.frame.Decoder;
import org.jspdl.media.frame.Frame;
import org.jspdl.media.frame.Frames;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Demuxing and decoding against the programs `ffmpeg` and `ffprobe`.
class DecodingTest {
    static List<String> videos() {
        return TestMedia.timedVideos();
    }

    @ParameterizedTest
    @MethodSource("videos")
    void everyFrameIsTheOneThatFfmpegDecodes(String name) {
        Path file = TestMedia.file(name);
        try (BufferPool pool = BufferPool.create("test", 1L << 28);
                Demuxer demuxer = Demuxer.open(MediaSource.of(file));
                Frames frames = Decoder.decodeAll(demuxer.packets(video(demuxer), TimeWindow.all()))) {
            assertThat(java.util.stream.StreamSupport.stream(frames.spliterator(), false)
                            .map(Frame::pts)
                            .toList())
                    .isEqualTo(TestMedia.times(file));
            assertThat(bytes(frames, pool)).isEqualTo(TestMedia.pictures(file, ""));
        }
    }

    @ParameterizedTest
    @MethodSource("videos")
    void aWindowHasTheFramesThatBeginInIt(String name) {
        Path file = TestMedia.file(name);
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(file))) {
            StreamInfo stream = video(demuxer);
            List<Long> all = TestMedia.times(file);
            for (int from : new int[] {0, 5, 13, 20}) {
                int to = from + 7;
                Rational start = Rational.of(all.get(from)).times(stream.timeBase());
                Rational end = Rational.of(all.get(to)).times(stream.timeBase());
                try (Frames frames = Decoder.decodeAll(demuxer.packets(stream, TimeWindow.of(start, end)))) {
                    assertThat(java.util.stream.StreamSupport.stream(frames.spliterator(), false)
                                    .map(Frame::pts)
                                    .toList())
                            .as("frames %d to %d", from, to)
                            .isEqualTo(all.subList(from, to));
                }
            }
        }
    }

    @Test
    void aWindowThatBeginsBetweenFramesLeavesOutTheFrameThatIsShown() {
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(TestMedia.file("h264.mp4")));
                Packets packets = demuxer.packets(video(demuxer), TimeWindow.of("1/1000", "81/1000"))) {
            assertThat(packets.timestamps()).hasSize(2);
        }
    }

    @Test
    void packetsCanBeDecodedOnceAndCopiedBefore() {
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(TestMedia.file("h264.mp4")))) {
            Packets packets = demuxer.packets(video(demuxer), TimeWindow.all());
            Packets copy = packets.copy();
            try (Frames first = Decoder.decodeAll(packets);
                    Frames second = Decoder.decodeAll(copy)) {
                assertThat(first.count()).isEqualTo(35).isEqualTo(second.count());
            }
            assertThatThrownBy(packets::count)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("were taken by a decoder")
                    .hasMessageContaining("copy()");
        }
    }

    @Test
    void packetsGoThroughBytes() throws IOException {
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(TestMedia.file("h264.mp4")))) {
            TimeWindow window = TimeWindow.of("2/5", "4/5");
            Packets packets = demuxer.packets(video(demuxer), window);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            packets.writeTo(bytes);
            Packets read = Packets.readFrom(new ByteArrayInputStream(bytes.toByteArray()));

            assertThat(read.window()).isEqualTo(window);
            try (Frames first = Decoder.decodeAll(packets);
                    Frames second = Decoder.decodeAll(read)) {
                assertThat(second.timestamps()).isEqualTo(first.timestamps()).hasSize(10);
                assertThat(second.get(3).plane(0, 64).mismatch(first.get(3).plane(0, 64)))
                        .isEqualTo(-1);
            }
            byte[] cut = Arrays.copyOf(bytes.toByteArray(), bytes.size() - 5);
            assertThatThrownBy(() -> Packets.readFrom(new ByteArrayInputStream(cut)))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void chunksGiveTheSameFramesAsTheWhole() {
        Path file = TestMedia.file("h264.mkv");
        List<Long> times = new ArrayList<>();
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(file));
                Decoder decoder = Decoder.open(video(demuxer))) {
            PacketChunks chunks = demuxer.chunks(video(demuxer), 200);
            var chunk = chunks.next();
            int count = 0;
            while (chunk.isPresent()) {
                try (Frames frames = decoder.decode(chunk.get())) {
                    frames.forEach(frame -> times.add(frame.pts()));
                }
                count++;
                chunk = chunks.next();
            }
            try (Frames rest = decoder.flush()) {
                rest.forEach(frame -> times.add(frame.pts()));
            }
            assertThat(count).isGreaterThan(4);
        }
        assertThat(times).isEqualTo(TestMedia.times(file));
    }

    @Test
    void framesAreSlicedAndPickedWithoutCopying() {
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(TestMedia.file("h264.mp4")));
                Frames frames = Decoder.decodeAll(demuxer.packets(video(demuxer), TimeWindow.all()));
                Frames some = frames.slice(1, 10, 4);
                Frames picked = frames.pick(List.of(-1, 0))) {
            assertThat(some.timestamps())
                    .containsExactly(
                            frames.get(1).time().orElseThrow(),
                            frames.get(5).time().orElseThrow(),
                            frames.get(9).time().orElseThrow());
            assertThat(picked.get(0).planeAddress(0)).isEqualTo(frames.get(34).planeAddress(0));
            assertThatThrownBy(() -> frames.get(35)).hasMessage("frame 35 of 35");
        }
    }

    private static StreamInfo video(Demuxer demuxer) {
        return demuxer.info().require(StreamInfo.Kind.VIDEO);
    }

    /// The pixels of all frames; frames that have no form as a tensor one plane after the other.
    private static byte[] bytes(Frames frames, BufferPool pool) {
        Frame first = frames.get(0);
        if (first.format().equals("yuv420p") && first.width() % 2 == 1) {
            return oddBytes(frames);
        }
        try (Tensor tensor = frames.toTensor(pool)) {
            return tensor.segment().toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static byte[] oddBytes(Frames frames) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Frame frame : frames) {
            for (int p = 0; p < 3; p++) {
                int width = p == 0 ? frame.width() : (frame.width() + 1) / 2;
                int rows = p == 0 ? frame.height() : (frame.height() + 1) / 2;
                byte[] plane = frame.plane(p, rows).toArray(ValueLayout.JAVA_BYTE);
                for (int row = 0; row < rows; row++) {
                    bytes.write(plane, row * frame.stride(p), width);
                }
            }
        }
        return bytes.toByteArray();
    }
}
