package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// What a decoder must know of a stream: the fields of an `AVCodecParameters` and its extra data, as Java values.
///
/// Immutable and comparable, so that decoders can be reused for streams that do not differ. Pointers are not kept:
/// extra data is copied, side data left out.
public final class AvParameters {
    /// The bytes of the C struct.
    public static final int BYTE_SIZE = 176;

    private static final int TYPE = 0;
    private static final int CODEC = 4;
    private static final int TAG = 8;
    private static final int EXTRA_DATA = 16;
    private static final int EXTRA_SIZE = 24;
    private static final int SIDE_DATA = 32;
    private static final int FORMAT = 44;
    private static final int BIT_RATE = 48;
    private static final int PROFILE = 64;
    private static final int WIDTH = 72;
    private static final int HEIGHT = 76;
    private static final int COLOR_RANGE = 100;
    private static final int COLOR_SPACE = 112;
    private static final int CHANNEL_LAYOUT = 128;
    private static final int SAMPLE_RATE = 152;
    private static final int BLOCK_ALIGN = 156;
    private static final int CUSTOM_ORDER = 2;
    /// AVCOL_SPC_UNSPECIFIED and its like.
    private static final int UNSPECIFIED = 2;
    private static final int PADDING = 64;
    private static final int MAX_EXTRA = 1 << 28;

    // AVCodecParameters *avcodec_parameters_alloc(void)
    private static final MethodHandle ALLOC =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_parameters_alloc", C.POINTER);
    // void avcodec_parameters_free(AVCodecParameters **par)
    private static final MethodHandle FREE = C.procedure(FfmpegLibraries.AVCODEC, "avcodec_parameters_free", C.POINTER);
    // void *av_mallocz(size_t size)
    private static final MethodHandle ALLOCATE = C.function(FfmpegLibraries.AVUTIL, "av_mallocz", C.POINTER, C.SIZE_T);

    private final byte[] fields;
    private final byte[] extraData;

    private AvParameters(byte[] fields, byte[] extraData) {
        this.fields = fields;
        this.extraData = extraData;
    }

    /// A copy of what `parameters`, an `AVCodecParameters*`, holds.
    public static AvParameters copyOf(MemorySegment parameters) {
        MemorySegment struct = C.view(parameters, BYTE_SIZE);
        int extra = struct.get(ValueLayout.JAVA_INT, EXTRA_SIZE);
        byte[] extraData = extra <= 0
                ? new byte[0]
                : C.view(struct.get(ValueLayout.ADDRESS, EXTRA_DATA), extra).toArray(ValueLayout.JAVA_BYTE);
        byte[] fields = struct.toArray(ValueLayout.JAVA_BYTE);
        return of(fields, extraData);
    }

    /// Parameters of these bytes, as [#fields] and [#extraData] gave them.
    ///
    /// @throws IllegalArgumentException if they cannot be the fields of any
    public static AvParameters of(byte[] fields, byte[] extraData) {
        if (fields.length != BYTE_SIZE || extraData.length > MAX_EXTRA) {
            throw new IllegalArgumentException("codec parameters have " + BYTE_SIZE + " bytes, not " + fields.length);
        }
        byte[] copy = fields.clone();
        MemorySegment struct = MemorySegment.ofArray(copy);
        Arrays.fill(copy, EXTRA_DATA, EXTRA_SIZE, (byte) 0);
        struct.set(ValueLayout.JAVA_INT_UNALIGNED, EXTRA_SIZE, extraData.length);
        Arrays.fill(copy, SIDE_DATA, FORMAT, (byte) 0);
        Arrays.fill(copy, CHANNEL_LAYOUT + 16, CHANNEL_LAYOUT + 24, (byte) 0);
        if (struct.get(ValueLayout.JAVA_INT_UNALIGNED, CHANNEL_LAYOUT) == CUSTOM_ORDER) {
            struct.set(ValueLayout.JAVA_INT_UNALIGNED, CHANNEL_LAYOUT, 0);
            struct.set(ValueLayout.JAVA_LONG_UNALIGNED, CHANNEL_LAYOUT + 8, 0);
        }
        return new AvParameters(copy, extraData.clone());
    }

    /// The parameters of pictures, for an encoder.
    public static AvParameters ofPictures(int codec, int format, int width, int height, long bitRate) {
        MemorySegment struct = fresh(0, codec, format, bitRate);
        struct.set(ValueLayout.JAVA_INT, WIDTH, width);
        struct.set(ValueLayout.JAVA_INT, HEIGHT, height);
        struct.set(ValueLayout.JAVA_INT, COLOR_SPACE, UNSPECIFIED);
        struct.set(ValueLayout.JAVA_INT, COLOR_SPACE - 8, UNSPECIFIED);
        struct.set(ValueLayout.JAVA_INT, COLOR_SPACE - 4, UNSPECIFIED);
        return of(struct.toArray(ValueLayout.JAVA_BYTE), new byte[0]);
    }

    /// The parameters of sound in the usual layout of `channels` channels, for an encoder.
    public static AvParameters ofSound(int codec, int format, int channels, int sampleRate, long bitRate) {
        MemorySegment struct = fresh(1, codec, format, bitRate);
        struct.set(ValueLayout.JAVA_INT, SAMPLE_RATE, sampleRate);
        AvNames.defaultChannelLayout(struct.asSlice(CHANNEL_LAYOUT, AvNames.CHANNEL_LAYOUT_BYTES), channels);
        return of(struct.toArray(ValueLayout.JAVA_BYTE), new byte[0]);
    }

    /// The defaults, with these fields.
    private static MemorySegment fresh(int type, int codec, int format, long bitRate) {
        MemorySegment made = Call.allocated(Call.toPointer(ALLOC), "avcodec_parameters_alloc");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = Arena.ofAuto().allocate(BYTE_SIZE, 8).copyFrom(C.view(made, BYTE_SIZE));
            free(made, arena.allocate(C.POINTER));
            struct.set(ValueLayout.JAVA_INT, TYPE, type);
            struct.set(ValueLayout.JAVA_INT, CODEC, codec);
            struct.set(ValueLayout.JAVA_INT, FORMAT, format);
            struct.set(ValueLayout.JAVA_LONG, BIT_RATE, bitRate);
            return struct;
        }
    }

    /// These without the container's tag, which another container has otherwise.
    AvParameters withoutTag() {
        byte[] copy = fields.clone();
        Arrays.fill(copy, TAG, TAG + 4, (byte) 0);
        return of(copy, extraData);
    }

    /// A new `AVCodecParameters*` with these values, to be given to [#free].
    public MemorySegment toNative() {
        MemorySegment struct = C.view(Call.allocated(Call.toPointer(ALLOC), "avcodec_parameters_alloc"), BYTE_SIZE);
        writeTo(struct);
        return struct;
    }

    /// Writes these values to a fresh `AVCodecParameters` of `BYTE_SIZE` bytes, which then owns its extra data.
    public void writeTo(MemorySegment struct) {
        struct.copyFrom(MemorySegment.ofArray(fields));
        if (extraData.length > 0) {
            long size = extraData.length + (long) PADDING;
            MemorySegment extra = C.view(Call.allocated(Call.toPointer(ALLOCATE, size), "av_mallocz"), size);
            MemorySegment.copy(extraData, 0, extra, ValueLayout.JAVA_BYTE, 0, extraData.length);
            struct.set(ValueLayout.ADDRESS, EXTRA_DATA, extra);
        }
    }

    /// Frees what [#toNative] made; `slot` is room for one pointer.
    public static void free(MemorySegment parameters, MemorySegment slot) {
        slot.set(ValueLayout.ADDRESS, 0, parameters);
        Call.run(FREE, slot);
    }

    private int get(int offset) {
        return MemorySegment.ofArray(fields).get(ValueLayout.JAVA_INT_UNALIGNED, offset);
    }

    /// The struct's bytes without its pointers; a copy.
    public byte[] fields() {
        return fields.clone();
    }

    /// The codec's own header; a copy.
    public byte[] extraData() {
        return extraData.clone();
    }

    /// `AVMediaType`: 0 video, 1 audio, 2 data, 3 subtitles, 4 attachment, -1 unknown.
    public int type() {
        return get(TYPE);
    }

    /// The `AVCodecID`.
    public int codec() {
        return get(CODEC);
    }

    /// The container's tag of the codec.
    public int tag() {
        return get(TAG);
    }

    /// The pixel or sample format, -1 if unknown.
    public int format() {
        return get(FORMAT);
    }

    /// Bits a second, 0 if unknown.
    public long bitRate() {
        return MemorySegment.ofArray(fields).get(ValueLayout.JAVA_LONG_UNALIGNED, BIT_RATE);
    }

    /// The codec's profile.
    public int profile() {
        return get(PROFILE);
    }

    public int width() {
        return get(WIDTH);
    }

    public int height() {
        return get(HEIGHT);
    }

    /// `AVColorRange`: 0 unknown, 1 limited, 2 full.
    public int colorRange() {
        return get(COLOR_RANGE);
    }

    /// `AVColorSpace`.
    public int colorSpace() {
        return get(COLOR_SPACE);
    }

    /// Channels, 0 if unknown.
    public int channels() {
        return get(CHANNEL_LAYOUT + 4);
    }

    /// Samples a second, 0 if unknown.
    public int sampleRate() {
        return get(SAMPLE_RATE);
    }

    /// Bytes of the samples of one moment as the container has it, 0 if unknown.
    public int blockBytes() {
        return get(BLOCK_ALIGN);
    }

    /// The channel layout in words.
    public String channelLayout() {
        try (var arena = Arena.ofConfined()) {
            MemorySegment layout = arena.allocate(AvNames.CHANNEL_LAYOUT_BYTES, 8);
            MemorySegment.copy(fields, CHANNEL_LAYOUT, layout, ValueLayout.JAVA_BYTE, 0, (int) layout.byteSize());
            return AvNames.channelLayout(layout);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AvParameters that
                && Arrays.equals(fields, that.fields)
                && Arrays.equals(extraData, that.extraData);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(fields) + Arrays.hashCode(extraData);
    }
}
