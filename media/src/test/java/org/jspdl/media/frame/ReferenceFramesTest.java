package org.jspdl.media.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.jspdl.media.encode.Encoder;
import org.jspdl.media.encode.EncoderSpec;
import org.jspdl.media.encode.MediaTarget;
import org.jspdl.media.encode.Muxer;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReferenceFramesTest {
    private static final Rational RATE = Rational.of(25);

    private static Tensor random(ElementType type, Shape shape, BufferPool pool) {
        Tensor tensor = Tensor.allocate(type, shape, pool);
        SplittableRandom random = new SplittableRandom(7);
        for (long i = 0; i < tensor.segment().byteSize(); i++) {
            tensor.segment().set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt(256));
        }
        return tensor;
    }

    @ParameterizedTest
    @CsvSource({
        "rgb24,    UINT8,  4, 6, 7, 3",
        "bgr24,    UINT8,  4, 6, 7, 3",
        "rgba,     UINT8,  3, 6, 7, 4",
        "gray,     UINT8,  5, 6, 7, 1",
        "gray16le, UINT16, 5, 6, 7, 1",
        "rgb48le,  UINT16, 5, 6, 7, 3",
        "yuv444p,  UINT8,  4, 3, 6, 7",
        "gbrp,     UINT8,  4, 3, 6, 7",
        "gbrp10le, UINT16, 1, 3, 6, 7"
    })
    void picturesReferToTheTensorAndCloseItAtTheEnd(String format, ElementType type, int n, int a, int b, int c) {
        try (BufferPool pool = BufferPool.create("test", 1 << 20)) {
            Tensor tensor = random(type, Shape.of(n, a, b, c), pool);
            byte[] before = tensor.segment().toArray(ValueLayout.JAVA_BYTE);
            Frames frames = ReferenceFrames.pictures(tensor, format, RATE, 10);
            Frames copy = frames.copy();

            assertThat(frames.count()).isEqualTo(n);
            for (int i = 0; i < n - 1; i++) {
                assertThat(frames.get(i).planeAddress(0))
                        .isEqualTo(tensor.row(i).address());
            }
            assertThat(frames.get(n - 1).time()).contains(Rational.of(9 + n, 25));
            frames.close();
            try (Tensor read = copy.toTensor(pool)) {
                assertThat(read.shape()).isEqualTo(tensor.shape());
                assertThat(read.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
            }
            copy.close();
            assertThat(pool.outstanding()).isZero();
        }
    }

    @Test
    void filtersThatChangePixelsLeaveTheTensorAlone() {
        try (BufferPool pool = BufferPool.create("test", 1 << 20);
                Tensor tensor = random(ElementType.UINT8, Shape.of(3, 16, 16, 3), pool);
                FilterGraph graph = FilterGraph.of("drawbox=color=red:t=fill,format=rgb24")) {
            byte[] before = tensor.segment().toArray(ValueLayout.JAVA_BYTE);
            try (Frames changed = graph.filter(ReferenceFrames.pictures(tensor.view(), "rgb24", RATE, 0));
                    Tensor red = changed.toTensor(pool)) {
                assertThat(red.segment().get(ValueLayout.JAVA_BYTE, 0) & 0xFF).isGreaterThan(200);
                assertThat(red.segment().mismatch(tensor.segment())).isNotNegative();
            }
            assertThat(tensor.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
        }
    }

    @Test
    void aTensorIsEncodedWithoutACopyAndClosedWhenTheEncoderIs() {
        try (BufferPool pool = BufferPool.create("test", 1 << 20)) {
            Tensor tensor = random(ElementType.UINT8, Shape.of(3, 20, 30, 3), pool);
            byte[] before = tensor.segment().toArray(ValueLayout.JAVA_BYTE);
            MediaTarget.Memory file = MediaTarget.memory();
            EncoderSpec spec = EncoderSpec.video("png", 30, 20, RATE).format("rgb24");
            try (Muxer muxer = Muxer.create(file, "matroska");
                    Encoder encoder = muxer.add(spec)) {
                muxer.open();
                muxer.write(0, encoder.encode(ReferenceFrames.pictures(tensor, "rgb24", RATE, 0)));
                muxer.write(0, encoder.flush());
                muxer.finish();
            }
            assertThat(pool.outstanding()).isZero();
            try (Demuxer demuxer = Demuxer.open(MediaSource.of(file.toByteArray()));
                    Frames frames = Decoder.decodeAll(
                            demuxer.packets(demuxer.info().require(StreamInfo.Kind.VIDEO), TimeWindow.all()));
                    Tensor read = frames.toTensor(pool)) {
                assertThat(read.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"fltp, FLOAT32, 2, 9000", "s16p, INT16, 6, 4096", "flt, FLOAT32, 9000, 2", "s16, INT16, 4097, 3"})
    void soundRefersToTheTensorAndClosesItAtTheEnd(String format, ElementType type, int a, int b) {
        try (BufferPool pool = BufferPool.create("test", 1 << 20)) {
            Tensor tensor = random(type, Shape.of(a, b), pool);
            byte[] before = tensor.segment().toArray(ValueLayout.JAVA_BYTE);
            try (Frames frames = ReferenceFrames.sound(tensor, format, 44_100, 441);
                    Tensor read = frames.toTensor(pool)) {
                if (frames.count() > 1) {
                    assertThat(frames.get(0).soundPlane(0).address())
                            .isEqualTo(tensor.segment().address());
                }
                assertThat(frames.get(0).time()).contains(Rational.of(1, 100));
                assertThat(read.shape()).isEqualTo(tensor.shape());
                assertThat(read.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
            }
            assertThat(pool.outstanding()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"yuv420p", "monow", "gbrpf32le", "rgba", "gray16le", "yuv444p", "nothing"})
    void aFormatThatDoesNotFitIsRefusedAndTheTensorStaysTheCallers(String format) {
        try (BufferPool pool = BufferPool.create("test", 1 << 20);
                Tensor tensor = random(ElementType.UINT8, Shape.of(3, 16, 16, 3), pool)) {
            assertThatThrownBy(() -> ReferenceFrames.pictures(tensor, format, RATE, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(format);
            assertThat(tensor.segment().byteSize()).isEqualTo(3 * 16 * 16 * 3);
        }
    }

    @Test
    void aGraphPadsAndTrimsInTimeAndShowsItself() {
        try (BufferPool pool = BufferPool.create("test", 1 << 20);
                FilterGraph graph = FilterGraph.of("tpad=stop_mode=clone:stop=5,trim=end_frame=6");
                FilterGraph sound = FilterGraph.of("apad=whole_len=9000,atrim=start_sample=1000:end_sample=9000")) {
            assertThatThrownBy(graph::dump).isInstanceOf(IllegalStateException.class);
            Tensor pictures = random(ElementType.UINT8, Shape.of(3, 16, 16, 3), pool);
            Tensor samples = random(ElementType.INT16, Shape.of(2, 5000), pool);
            try (Frames first = graph.filter(ReferenceFrames.pictures(pictures, "rgb24", RATE, 0));
                    Frames rest = graph.flush();
                    Frames heard = sound.filter(ReferenceFrames.sound(samples, "s16p", 8_000, 0));
                    Frames silence = sound.flush()) {
                assertThat(first.count() + rest.count()).isEqualTo(6);
                assertThat(heard.samples() + silence.samples()).isEqualTo(8_000);
                assertThat(graph.dump()).contains("tpad", "trim", "16x16", "rgb24");
            }
        }
    }
}
