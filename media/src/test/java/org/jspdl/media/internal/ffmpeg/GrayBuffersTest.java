package org.jspdl.media.internal.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.Loader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What memory holds before a decoder of sound writes to it.
class GrayBuffersTest {
    private static final int SAMPLES = 1152;

    @BeforeAll
    static void load() {
        Loader.load(avutil.class);
        Loader.load(avcodec.class);
    }

    @Test
    void soundIsSilentBefore() {
        assertThat(firstBytes(GrayBuffers.Filling.GRAY, 3)).containsExactly((byte) 0);
    }

    @Test
    void soundThatIsWrittenWholeHasOtherPatternsWhereMemoryIsChecked() {
        assertThat(firstBytes(GrayBuffers.Filling.WRITTEN, 40)).hasSizeGreaterThan(1);
    }

    /// The bytes of both channels' planes, each of which holds one only.
    private static Set<Byte> firstBytes(GrayBuffers.Filling filling, int frames) {
        FfmpegLibraries.require();
        AVCodec codec = avcodec.avcodec_find_decoder(avcodec.AV_CODEC_ID_MP3);
        AVCodecContext context = avcodec.avcodec_alloc_context3(codec);
        AVFrame frame = avutil.av_frame_alloc();
        try {
            GrayBuffers.install(context.address(), filling);
            assertThat(avcodec.avcodec_open2(context, codec, (AVDictionary) null))
                    .isZero();
            Set<Byte> found = new HashSet<>();
            for (int i = 0; i < frames; i++) {
                frame.nb_samples(SAMPLES).format(avutil.AV_SAMPLE_FMT_FLTP);
                avutil.av_channel_layout_default(frame.ch_layout(), 2);
                assertThat(context.get_buffer2().call(context, frame, 0)).isZero();
                for (int c = 0; c < 2; c++) {
                    byte[] plane = new byte[SAMPLES * Float.BYTES];
                    frame.extended_data(c).get(plane);
                    Set<Byte> values = new HashSet<>();
                    for (byte value : plane) {
                        values.add(value);
                    }
                    assertThat(values).hasSize(1);
                    found.addAll(values);
                }
                avutil.av_frame_unref(frame);
            }
            return found;
        } finally {
            avutil.av_frame_free(frame);
            avcodec.avcodec_free_context(context);
        }
    }
}
