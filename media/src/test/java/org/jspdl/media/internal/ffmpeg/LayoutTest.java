package org.jspdl.media.internal.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVPixFmtDescriptor;
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
        frame.color_range(avutil.AVCOL_RANGE_JPEG).colorspace(avutil.AVCOL_SPC_BT2020_NCL);
        assertThat(AvFrame.isFullRange(ours)).isTrue();
        assertThat(AvFrame.colorSpace(ours)).isEqualTo(avutil.AVCOL_SPC_BT2020_NCL);
        avutil.av_frame_free(frame);
    }

    @Test
    void pixelFormatsAreDescribedAsTheLibraryDoes() {
        for (int format = 0; format < 200; format++) {
            AVPixFmtDescriptor descriptor = avutil.av_pix_fmt_desc_get(format);
            assertThat(PixelFormat.hasAlpha(format))
                    .isEqualTo((descriptor.flags() & avutil.AV_PIX_FMT_FLAG_ALPHA) != 0);
            assertThat(PixelFormat.depth(format)).isEqualTo(descriptor.comp(0).depth());
        }
        assertThat(PixelFormat.isGray(PixelFormat.GRAY16_BE)).isTrue();
        assertThat(PixelFormat.isGray(PixelFormat.PALETTE)).isFalse();
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
                    PixelFormat.YUVJ420P,
                    PixelFormat.YUVJ422P,
                    PixelFormat.YUVJ444P,
                    PixelFormat.YUVJ440P,
                    PixelFormat.YUVJ411P,
                    PixelFormat.GRAY16_BE,
                    PixelFormat.GRAY16_LE,
                    PixelFormat.GRAY_ALPHA16_BE,
                    PixelFormat.GBRP,
                    PixelFormat.PALETTE,
                    PixelFormat.RGB48_BE,
                    PixelFormat.RGB48_LE,
                    PixelFormat.RGBA64_BE,
                    PixelFormat.RGBA64_LE,
                    PixelFormat.GRAY_ALPHA16_LE,
                    PixelFormat.GBRAP,
                    PixelFormat.RGBA,
                    PixelFormat.RGB444,
                    PixelFormat.RGB555,
                    PixelFormat.RGB565,
                    AvCodec.AV1
                })
                .containsExactly(
                        avutil.AV_PIX_FMT_YUV420P,
                        avutil.AV_PIX_FMT_GRAY8,
                        avutil.AV_PIX_FMT_YUVJ420P,
                        avutil.AV_PIX_FMT_YUVJ422P,
                        avutil.AV_PIX_FMT_YUVJ444P,
                        avutil.AV_PIX_FMT_YUVJ440P,
                        avutil.AV_PIX_FMT_YUVJ411P,
                        avutil.AV_PIX_FMT_GRAY16BE,
                        avutil.AV_PIX_FMT_GRAY16LE,
                        avutil.AV_PIX_FMT_YA16BE,
                        avutil.AV_PIX_FMT_GBRP,
                        avutil.AV_PIX_FMT_PAL8,
                        avutil.AV_PIX_FMT_RGB48BE,
                        avutil.AV_PIX_FMT_RGB48LE,
                        avutil.AV_PIX_FMT_RGBA64BE,
                        avutil.AV_PIX_FMT_RGBA64LE,
                        avutil.AV_PIX_FMT_YA16LE,
                        avutil.AV_PIX_FMT_GBRAP,
                        avutil.AV_PIX_FMT_RGBA,
                        avutil.AV_PIX_FMT_RGB444LE,
                        avutil.AV_PIX_FMT_RGB555LE,
                        avutil.AV_PIX_FMT_RGB565LE,
                        avcodec.AV_CODEC_ID_AV1);
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
