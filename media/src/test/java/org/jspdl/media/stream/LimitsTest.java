package org.jspdl.media.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspdl.input.MediaException;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.video.Video;
import org.jspdl.media.video.VideoSpec;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;

/// What a file may ask for, and what is said when it asks for more.
class LimitsTest {
    private final Path both = TestMedia.file("both.mp4");

    @Test
    void moreStreamsThanAllowedAreRefusedWhenTheFileIsOpened() {
        assertThatThrownBy(() -> Demuxer.open(MediaSource.of(both), opening(limits -> limits.maxStreams(1))))
                .isInstanceOf(MediaException.class)
                .hasMessageStartingWith(both.toString())
                .hasMessageContaining("more than 1 streams, the limit");
    }

    @Test
    void aLongerDurationThanAllowedIsRefusedWhenTheFileIsOpened() {
        assertThatThrownBy(() -> Demuxer.open(
                        MediaSource.of(both), opening(limits -> limits.maxDuration(Duration.ofMillis(900)))))
                .isInstanceOf(MediaException.class)
                .hasMessageStartingWith(both.toString())
                .hasMessageContaining("are more than the limit of 0.900 s");
    }

    @Test
    void aPictureOfMorePixelsThanAllowedIsRefused() {
        assertThatThrownBy(() -> Video.load(both, decoding(limits -> limits.maxPixels(96 * 64 - 1))))
                .isInstanceOf(MediaException.class)
                .hasMessageStartingWith(both.toString())
                .hasMessageContaining("stream 0 (h264): 96 x 64 pixels are more than the limit of 6143");
        try (Tensor allowed = Video.load(both, decoding(limits -> limits.maxPixels(1 << 20)))) {
            assertThat(allowed.shape().extents()).endsWith(64, 96, 3);
        }
    }

    @Test
    void aResultOfMoreBytesThanAllowedIsRefusedBeforeItsMemoryIsTaken() {
        long frame = 96 * 64 * 3;
        assertThatThrownBy(() -> Video.load(both, decoding(limits -> limits.maxBytes(10 * frame))))
                .isInstanceOf(MediaException.class)
                .hasMessageStartingWith(both.toString())
                .hasMessageContaining("more than")
                .hasMessageContaining(String.valueOf(10 * frame));
    }

    @Test
    void aSourceThatIsSlowerThanTheDeadlineIsGivenUp() throws IOException {
        byte[] file = Files.readAllBytes(TestMedia.file("h264.ts"));
        byte[] repeated = new byte[30 * file.length];
        for (int at = 0; at < repeated.length; at += file.length) {
            System.arraycopy(file, 0, repeated, at, file.length);
        }
        SlowStream slow = new SlowStream(repeated, Duration.ofMillis(5));

        assertThatThrownBy(() -> Video.load(
                        MediaSource.of(slow, "a slow stream"),
                        decoding(limits -> limits.deadline(Duration.ofMillis(1)))))
                .isInstanceOf(MediaException.class)
                .hasMessageContaining("a slow stream")
                .hasMessageContaining("not done after 1 ms, the deadline in the limits");
        assertThat(slow.available()).as("bytes left unread").isPositive();
    }

    private static DemuxOptions opening(UnaryOperator<MediaLimits> change) {
        return DemuxOptions.standard().limits(change.apply(MediaLimits.standard()));
    }

    private static VideoSpec decoding(UnaryOperator<MediaLimits> change) {
        return VideoSpec.original().decoding(DecodeOptions.standard().limits(change.apply(MediaLimits.standard())));
    }

    /// Every read takes at least a while, however fast the machine is.
    private static final class SlowStream extends InputStream {
        private final ByteArrayInputStream bytes;
        private final long nanos;

        SlowStream(byte[] bytes, Duration read) {
            this.bytes = new ByteArrayInputStream(bytes);
            this.nanos = read.toNanos();
        }

        @Override
        public int read() {
            waits();
            return bytes.read();
        }

        @Override
        public int read(byte[] into, int from, int length) {
            waits();
            return bytes.read(into, from, Math.min(length, 1_000));
        }

        @Override
        public int available() {
            return bytes.available();
        }

        private void waits() {
            long until = System.nanoTime() + nanos;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
        }
    }
}
