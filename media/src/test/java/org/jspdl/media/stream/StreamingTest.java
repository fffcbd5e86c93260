package org.jspdl.media.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import org.jspdl.input.MediaException;
import org.jspdl.media.audio.Audio;
import org.jspdl.media.audio.AudioSpec;
import org.jspdl.media.audio.AudioStream;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.internal.lifetime.LiveHandles;
import org.jspdl.media.video.Video;
import org.jspdl.media.video.VideoSpec;
import org.jspdl.media.video.VideoStream;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.jspdl.wav.SampleLayout;
import org.junit.jupiter.api.Test;

class StreamingTest {
    @Test
    void piecesOfASoundMakeTheWhole() {
        AudioSpec spec = AudioSpec.original().layout(SampleLayout.INTERLEAVED);
        Path file = TestMedia.file("s16.flac");
        try (BufferPool pool = BufferPool.create("test", 1L << 24);
                Tensor whole = Audio.load(file, spec);
                AudioStream stream = AudioStream.open(MediaSource.of(file), spec, 10_000)) {
            long at = 0;
            Optional<Tensor> piece = stream.next(pool);
            while (piece.isPresent()) {
                try (Tensor samples = piece.get()) {
                    MemorySegment expected =
                            whole.segment().asSlice(at, samples.segment().byteSize());
                    assertThat(samples.segment().mismatch(expected)).isEqualTo(-1);
                    at += samples.segment().byteSize();
                }
                piece = stream.next(pool);
            }
            assertThat(at).isEqualTo(whole.segment().byteSize());
        }
    }

    @Test
    void piecesOfAVideoMakeTheWhole() {
        Path file = TestMedia.file("hevc.mp4");
        try (BufferPool pool = BufferPool.create("test", 1L << 24);
                Tensor whole = Video.load(file);
                VideoStream stream = VideoStream.open(MediaSource.of(file), VideoSpec.original(), 8)) {
            long at = 0;
            int pieces = 0;
            Optional<Tensor> piece = stream.next(pool);
            while (piece.isPresent()) {
                try (Tensor frames = piece.get()) {
                    MemorySegment expected =
                            whole.segment().asSlice(at, frames.segment().byteSize());
                    assertThat(frames.segment().mismatch(expected)).isEqualTo(-1);
                    at += frames.segment().byteSize();
                    pieces++;
                }
                piece = stream.next(pool);
            }
            assertThat(pieces).isEqualTo(5);
            assertThat(at).isEqualTo(whole.segment().byteSize());
        }
    }

    @Test
    void aLongSoundNeedsNoMoreAtItsEndThanAtItsBeginning() {
        Path file = TestMedia.file("long.flac");
        try (BufferPool pool = BufferPool.create("test", 1L << 22);
                AudioStream stream = AudioStream.open(MediaSource.of(file), AudioSpec.original(), 48_000)) {
            long most = 0;
            int pieces = 0;
            Optional<Tensor> piece = stream.next(pool);
            while (piece.isPresent()) {
                piece.get().close();
                pieces++;
                most = Math.max(most, LiveHandles.count());
                piece = stream.next(pool);
            }
            assertThat(pieces).isEqualTo(100);
            assertThat(pool.peakHeldBytes()).isLessThan(1 << 20);
            assertThat(most).isLessThan(20);
        }
    }

    /// The check for leaks looks at what is left open.
    @Test
    void aVideoWithoutADecoderLeavesNothingOpen() {
        VideoSpec spec = VideoSpec.original().decoding(DecodeOptions.standard().decoder("no such decoder"));

        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> VideoStream.open(MediaSource.of(TestMedia.file("hevc.mp4")), spec, 8))
                    .isInstanceOf(MediaException.class)
                    .hasMessageContaining("no such decoder");
        }
    }
}
