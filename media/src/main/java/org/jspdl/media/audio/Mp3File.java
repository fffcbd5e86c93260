package org.jspdl.media.audio;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/// Where the frames of an MP3 file lie, and which of their samples are its sound: of a file of nothing but ID3v2 tags,
/// perhaps a frame in which the encoder tells how much it has added, whole frames one behind the other, and perhaps an
/// ID3v1 tag. All others are left to FFmpeg's demuxer, which has its ways with them.
///
/// @param begin        where the first frame of sound is
/// @param frames       how many there are
/// @param frameSamples of each channel, in a frame
/// @param skipped      samples of the first frames that the encoder has added
/// @param samples      of each channel, behind those
record Mp3File(long begin, int frames, int sampleRateHz, int channels, int frameSamples, long skipped, long samples) {
    private static final ValueLayout.OfInt BIG = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    /// Of shorter files FFmpeg may find that they are something else.
    private static final int LEAST_FRAMES = 16;
    /// Of the first two frames, FFmpeg wants these bits to be the same.
    private static final int BITS_OF_TWO = 0xFFFE_0CCF;

    private static final int ID3V1_BYTES = 128;
    private static final int ID3V2_HEADER = 10;
    private static final int HAS_FOOTER = 0x10;
    private static final int XING = 0x5869_6E67;
    private static final int INFO = 0x496E_666F;
    private static final int VBRI = 0x5642_5249;
    private static final int LAME = 0x4C41_4D45;
    private static final int LAVF = 0x4C61_7666;
    private static final int LAVC = 0x4C61_7663;
    private static final int VBRI_AT = 36;
    private static final int HAS_FRAMES_AND_BYTES = 3;
    private static final int HAS_TABLE = 4;
    private static final int HAS_QUALITY = 8;
    /// Where the encoder tells, behind its name, how much it has added.
    private static final int ADDED_AT = 21;
    /// What every decoder adds.
    private static final int DECODER_DELAY = 529;

    /// What an encoder tells in a frame of its own.
    ///
    /// @param frames behind it
    /// @param before samples that it has added before the sound, and behind it; negative if it does not tell
    private record Told(long frames, int before, int behind) {}

    /// How the file at hand is arranged; empty if it is another one.
    static Optional<Mp3File> of(MemorySegment file) {
        long begin = behindTags(file);
        int header = begin < 0 ? 0 : header(file, begin);
        if (Mp3Frame.length(header) == 0 || begin + Mp3Frame.length(header) > file.byteSize()) {
            return Optional.empty();
        }
        long about = begin + Integer.BYTES + Mp3Frame.sideBytes(header);
        int magic = header(file, about);
        if (header(file, begin + VBRI_AT) == VBRI) {
            return Optional.empty();
        }
        if (magic != XING && magic != INFO) {
            return frames(file, begin, Optional.empty());
        }
        Optional<Told> told = told(file, begin, about, begin + Mp3Frame.length(header));
        return told.isEmpty() ? Optional.empty() : frames(file, begin + Mp3Frame.length(header), told);
    }

    private static long behindTags(MemorySegment file) {
        long at = 0;
        while (at + ID3V2_HEADER <= file.byteSize() && header(file, at) >>> Byte.SIZE == 0x49_4433) {
            long length = ID3V2_HEADER;
            for (int i = 0; i < 4; i++) {
                int seven = file.get(ValueLayout.JAVA_BYTE, at + 6 + i);
                if (seven < 0) {
                    return -1;
                }
                length += (long) seven << (7 * (3 - i));
            }
            if ((file.get(ValueLayout.JAVA_BYTE, at + 5) & HAS_FOOTER) != 0) {
                return -1;
            }
            at += length;
        }
        return at;
    }

    /// Four bytes; 0 if they are not there.
    private static int header(MemorySegment file, long at) {
        return at + Integer.BYTES <= file.byteSize() ? file.get(BIG, at) : 0;
    }

    private static Optional<Told> told(MemorySegment file, long begin, long about, long end) {
        int flags = header(file, about + 4);
        long encoder =
                about + 16 + ((flags & HAS_TABLE) == 0 ? 0 : 100) + ((flags & HAS_QUALITY) == 0 ? 0 : Integer.BYTES);
        if ((flags & HAS_FRAMES_AND_BYTES) != HAS_FRAMES_AND_BYTES || encoder + ADDED_AT + Integer.BYTES > end) {
            return Optional.empty();
        }
        long bytes = Integer.toUnsignedLong(header(file, about + 12));
        long there = file.byteSize() - begin;
        // FFmpeg takes a file of another size for several put together
        if (Math.abs(there - bytes) > Math.min(there, bytes) >> 5) {
            return Optional.empty();
        }
        long frames = Integer.toUnsignedLong(header(file, about + 8));
        int name = header(file, encoder);
        if (name != LAME && name != LAVF && name != LAVC) {
            return Optional.of(new Told(frames, -1, -1));
        }
        int added = header(file, encoder + ADDED_AT) >>> Byte.SIZE;
        return Optional.of(new Told(frames, added >>> 12, added & 0xFFF));
    }

    private static Optional<Mp3File> frames(MemorySegment file, long begin, Optional<Told> told) {
        int first = header(file, begin);
        long at = begin;
        int frames = 0;
        int header = first;
        while (Mp3Frame.length(header) > 0 && Mp3Frame.isLike(header, first)) {
            if (frames == 1 && (header & BITS_OF_TWO) != (first & BITS_OF_TWO)) {
                return Optional.empty();
            }
            at += Mp3Frame.length(header);
            frames++;
            header = header(file, at);
        }
        boolean isTag = at == file.byteSize() - ID3V1_BYTES && header >>> Byte.SIZE == 0x54_4147;
        if (frames < LEAST_FRAMES || (at != file.byteSize() && !isTag)) {
            return Optional.empty();
        }
        int frameSamples = Mp3Frame.samples(first);
        long all = (long) frames * frameSamples;
        long skipped = 0;
        long end = all;
        if (told.isPresent()) {
            Told by = told.get();
            if (by.frames != frames) {
                return Optional.empty();
            }
            if (by.before >= 0) {
                skipped = (long) by.before + DECODER_DELAY;
                end = Math.min(all, all - by.behind + DECODER_DELAY);
            }
        }
        return end <= skipped
                ? Optional.empty()
                : Optional.of(new Mp3File(
                        begin,
                        frames,
                        Mp3Frame.sampleRateHz(first),
                        Mp3Frame.channels(first),
                        frameSamples,
                        skipped,
                        end - skipped));
    }
}
