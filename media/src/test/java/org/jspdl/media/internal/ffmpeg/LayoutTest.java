package org.jspdl.media.internal.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Our struct offsets and constants against those that the C compiler gave JavaCPP's presets for the same release.
class LayoutTest {
    @BeforeAll
    static void load() {
        Loader.load(avutil.class);
        Loader.load(avcodec.class);
    }

    @Test
    void framesAreReadWhereTheLibraryKeepsThem() {
        AVFrame frame = avutil.av_frame_alloc();
        MemorySegment ours = segment(frame, AVFrame.class);
        frame.width(1234)
                .height(567)
                .format(avutil.AV_PIX_FMT_GBRP)
                .linesize(2, 99)
                .decode_error_flags(0)
                .flags(0);

        assertThat(AvFrame.width(ours)).isEqualTo(1234);
        assertThat(AvFrame.height(ours)).isEqualTo(567);
        assertThat(AvFrame.format(ours)).isEqualTo(PixelFormat.GBRP);
        assertThat(AvFrame.lineSize(ours, 2)).isEqualTo(99);
        assertThat(AvFrame.isDamaged(ours)).isFalse();
        assertThat(AvFrame.isDamaged(segment(frame.decode_error_flags(1), AVFrame.class)))
                .isTrue();
        assertThat(AvFrame.isDamaged(
                        segment(frame.decode_error_flags(0).flags(AVFrame.AV_FRAME_FLAG_CORRUPT), AVFrame.class)))
                .isTrue();
        avutil.av_frame_free(frame);
    }

    @Test
    void packetsAreWrittenWhereTheLibraryKeepsThem() {
        AVPacket packet = avcodec.av_packet_alloc();
        AvPacket.borrow(segment(packet, AVPacket.class), MemorySegment.ofAddress(4096), 77);

        assertThat(packet.data().address()).isEqualTo(4096);
        assertThat(packet.size()).isEqualTo(77);
        avcodec.av_packet_free(packet);
    }

    @Test
    void constantsAreThoseOfTheHeaders() {
        assertThat(new int[] {
                    PixelFormat.YUV420P,
                    PixelFormat.GRAY8,
                    PixelFormat.MONO_WHITE,
                    PixelFormat.MONO_BLACK,
                    PixelFormat.YUVJ420P,
                    PixelFormat.YUVJ422P,
                    PixelFormat.YUVJ444P,
                    PixelFormat.YUVJ440P,
                    PixelFormat.YUVJ411P,
                    PixelFormat.GRAY16_BE,
                    PixelFormat.GRAY16_LE,
                    PixelFormat.GREY_ALPHA,
                    PixelFormat.GREY_ALPHA16_BE,
                    PixelFormat.GBRP
                })
                .containsExactly(
                        avutil.AV_PIX_FMT_YUV420P,
                        avutil.AV_PIX_FMT_GRAY8,
                        avutil.AV_PIX_FMT_MONOWHITE,
                        avutil.AV_PIX_FMT_MONOBLACK,
                        avutil.AV_PIX_FMT_YUVJ420P,
                        avutil.AV_PIX_FMT_YUVJ422P,
                        avutil.AV_PIX_FMT_YUVJ444P,
                        avutil.AV_PIX_FMT_YUVJ440P,
                        avutil.AV_PIX_FMT_YUVJ411P,
                        avutil.AV_PIX_FMT_GRAY16BE,
                        avutil.AV_PIX_FMT_GRAY16LE,
                        avutil.AV_PIX_FMT_YA8,
                        avutil.AV_PIX_FMT_YA16BE,
                        avutil.AV_PIX_FMT_GBRP);
        assertThat(new int[] {AvCodec.MJPEG, AvCodec.PNG, AvCodec.BMP, AvCodec.TIFF, AvCodec.GIF, AvCodec.WEBP})
                .containsExactly(
                        avcodec.AV_CODEC_ID_MJPEG,
                        avcodec.AV_CODEC_ID_PNG,
                        avcodec.AV_CODEC_ID_BMP,
                        avcodec.AV_CODEC_ID_TIFF,
                        avcodec.AV_CODEC_ID_GIF,
                        avcodec.AV_CODEC_ID_WEBP);
    }

    @SuppressWarnings("restricted")
    private static MemorySegment segment(Pointer pointer, Class<? extends Pointer> type) {
        return MemorySegment.ofAddress(pointer.address()).reinterpret(Loader.sizeof(type));
    }
}
