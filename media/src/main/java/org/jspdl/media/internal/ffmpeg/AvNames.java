package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// FFmpeg's names of codecs, pixel formats, sample formats and channel layouts, and what pixel formats are made of.
public final class AvNames {
    private static final int TEXT_BYTES = 128;

    // const char *av_get_pix_fmt_name(enum AVPixelFormat pix_fmt)
    private static final MethodHandle PIXEL_NAME =
            C.function(FfmpegLibraries.AVUTIL, "av_get_pix_fmt_name", C.POINTER, C.INT);
    // enum AVPixelFormat av_get_pix_fmt(const char *name)
    private static final MethodHandle PIXEL = C.function(FfmpegLibraries.AVUTIL, "av_get_pix_fmt", C.INT, C.POINTER);
    // const AVPixFmtDescriptor *av_pix_fmt_desc_get(enum AVPixelFormat pix_fmt)
    private static final MethodHandle DESCRIPTOR =
            C.function(FfmpegLibraries.AVUTIL, "av_pix_fmt_desc_get", C.POINTER, C.INT);
    // const char *av_get_sample_fmt_name(enum AVSampleFormat sample_fmt)
    private static final MethodHandle SAMPLE_NAME =
            C.function(FfmpegLibraries.AVUTIL, "av_get_sample_fmt_name", C.POINTER, C.INT);
    // enum AVSampleFormat av_get_sample_fmt(const char *name)
    private static final MethodHandle SAMPLE =
            C.function(FfmpegLibraries.AVUTIL, "av_get_sample_fmt", C.INT, C.POINTER);
    // const char *avcodec_get_name(enum AVCodecID id)
    private static final MethodHandle CODEC_NAME =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_get_name", C.POINTER, C.INT);
    // int av_channel_layout_describe(const AVChannelLayout *channel_layout, char *buf, size_t buf_size)
    private static final MethodHandle DESCRIBE_LAYOUT =
            C.function(FfmpegLibraries.AVUTIL, "av_channel_layout_describe", C.INT, C.POINTER, C.POINTER, C.SIZE_T);
    // void av_channel_layout_default(AVChannelLayout *ch_layout, int nb_channels)
    private static final MethodHandle DEFAULT_LAYOUT =
            C.procedure(FfmpegLibraries.AVUTIL, "av_channel_layout_default", C.POINTER, C.INT);
    // const char *avcodec_profile_name(enum AVCodecID codec_id, int profile)
    private static final MethodHandle PROFILE_NAME =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_profile_name", C.POINTER, C.INT, C.INT);

    /// The bytes of an `AVChannelLayout`.
    public static final long CHANNEL_LAYOUT_BYTES = 24;

    private static final int FIRST_PLANAR_SOUND = 5;
    private static final int S64 = 10;

    private AvNames() {}

    /// How a pixel format stores its components.
    ///
    /// @param flags          `AV_PIX_FMT_FLAG_*`
    /// @param log2ChromaW    how far chroma is subsampled across
    /// @param log2ChromaH    how far chroma is subsampled down
    /// @param parts          its components, red or luminance first
    public record Pixels(int log2ChromaW, int log2ChromaH, long flags, List<Component> parts) {
        private static final long BIG_ENDIAN = 1;
        private static final long PALETTE = 2;
        private static final long BITSTREAM = 4;
        private static final long BAYER = 256;
        private static final long FLOAT = 512;
        private static final long HARDWARE = 8;
        private static final long PLANAR = 16;
        private static final long RGB = 32;

        /// Where a component lies, in bytes, or in bits in a format of bits.
        ///
        /// @param step   from one value to the next
        /// @param offset what lies before the first value
        /// @param shift  unused bits below a value
        /// @param depth  bits of a value
        public record Component(int plane, int step, int offset, int shift, int depth) {}

        public Pixels {
            parts = List.copyOf(parts);
        }

        public int components() {
            return parts.size();
        }

        /// Bits of the first component.
        public int depth() {
            return parts.isEmpty() ? 0 : parts.getFirst().depth();
        }

        /// Bytes from one value of the first component to the next, bits in a format of bits.
        public int step() {
            return parts.isEmpty() ? 0 : parts.getFirst().step();
        }

        /// Unused bits below the first component.
        public int shift() {
            return parts.isEmpty() ? 0 : parts.getFirst().shift();
        }

        /// Whether values are places in a table of colors.
        public boolean isPalette() {
            return (flags & PALETTE) != 0;
        }

        /// Whether the pixels lie in a device's memory.
        public boolean isHardware() {
            return (flags & HARDWARE) != 0;
        }

        /// Whether a value of two bytes has its higher byte first.
        public boolean isBigEndian() {
            return (flags & BIG_ENDIAN) != 0;
        }

        /// Whether pixels don't begin at whole bytes.
        public boolean isBitstream() {
            return (flags & BITSTREAM) != 0;
        }

        /// Whether each pixel has one of the three colors.
        public boolean isBayer() {
            return (flags & BAYER) != 0;
        }

        /// Whether components are floating-point numbers.
        public boolean isFloat() {
            return (flags & FLOAT) != 0;
        }

        /// Whether pixels are luminance, with or without alpha.
        public boolean isGray() {
            return parts.size() <= 2 && (flags & (PALETTE | RGB | HARDWARE)) == 0;
        }

        /// Whether components have planes of their own.
        public boolean isPlanar() {
            return (flags & PLANAR) != 0;
        }

        /// Whether the components are red, green and blue.
        public boolean isRgb() {
            return (flags & RGB) != 0;
        }
    }

    /// What a pixel format is made of.
    ///
    /// @throws IllegalArgumentException if there is no such format
    public static Pixels pixels(int format) {
        MemorySegment descriptor = Call.toPointer(DESCRIPTOR, format);
        if (descriptor.address() == 0) {
            throw new IllegalArgumentException("there is no pixel format " + format);
        }
        MemorySegment fields = C.view(descriptor, 112);
        List<Pixels.Component> parts = new ArrayList<>();
        for (int c = 0; c < fields.get(ValueLayout.JAVA_BYTE, 8); c++) {
            int[] part = fields.asSlice(24 + 20L * c, 20).toArray(ValueLayout.JAVA_INT);
            parts.add(new Pixels.Component(part[0], part[1], part[2], part[3], part[4]));
        }
        return new Pixels(
                fields.get(ValueLayout.JAVA_BYTE, 9),
                fields.get(ValueLayout.JAVA_BYTE, 10),
                fields.get(ValueLayout.JAVA_LONG, 16),
                parts);
    }

    /// The name of a pixel format, such as `yuv420p`; empty if unknown.
    public static String pixelFormat(int format) {
        return C.text(Call.toPointer(PIXEL_NAME, format));
    }

    /// The pixel format of this name; -1 if there is none.
    public static int pixelFormat(String name) {
        try (Arena arena = Arena.ofConfined()) {
            return Call.toInt(PIXEL, arena.allocateFrom(name));
        }
    }

    /// The name of a sample format, such as `fltp`; empty if unknown.
    public static String sampleFormat(int format) {
        return C.text(Call.toPointer(SAMPLE_NAME, format));
    }

    /// The sample format of this name; -1 if there is none.
    public static int sampleFormat(String name) {
        try (Arena arena = Arena.ofConfined()) {
            return Call.toInt(SAMPLE, arena.allocateFrom(name));
        }
    }

    /// Whether each channel of a sample format has a plane of its own.
    public static boolean isPlanarSound(int format) {
        return format >= FIRST_PLANAR_SOUND && format != S64;
    }

    /// The name of a codec, such as `h264`.
    public static String codec(int id) {
        return C.text(Call.toPointer(CODEC_NAME, id));
    }

    /// The name of a codec's profile, such as `High`; empty if it has none.
    public static String profile(int codec, int profile) {
        try {
            return C.text((MemorySegment) PROFILE_NAME.invokeExact(codec, profile));
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// A channel layout in words, such as `stereo` or `5.1(side)`.
    public static String channelLayout(MemorySegment layout) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(TEXT_BYTES);
            int status = (int) DESCRIBE_LAYOUT.invokeExact(layout, text, (long) TEXT_BYTES);
            return status < 0 ? "" : text.getString(0);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Writes the usual layout of `channels` channels to `layout`.
    public static void defaultChannelLayout(MemorySegment layout, int channels) {
        Call.run(DEFAULT_LAYOUT, layout, channels);
    }
}
