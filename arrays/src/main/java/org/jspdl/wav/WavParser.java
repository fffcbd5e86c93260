package org.jspdl.wav;

import java.lang.foreign.MemorySegment;
import org.jspdl.archive.internal.LittleEndian;
import org.jspdl.input.FormatException;

/// Finds the format and the samples of a WAV file: RIFF, and RF64 or BW64 for more than 4 GiB.
final class WavParser {
    private static final int RIFF = LittleEndian.tag("RIFF");
    private static final int RF64 = LittleEndian.tag("RF64");
    private static final int BW64 = LittleEndian.tag("BW64");
    private static final int WAVE = LittleEndian.tag("WAVE");
    private static final int FORMAT = LittleEndian.tag("fmt ");
    private static final int DATA = LittleEndian.tag("data");
    private static final int SIZES = LittleEndian.tag("ds64");
    private static final int INTEGER = 1;
    private static final int FLOAT = 3;
    private static final int EXTENSIBLE = 0xFFFE;
    private static final int EXTENSIBLE_BYTES = 40;
    /// What follows the number of an encoding in its identifier: two runs of eight bytes, of which two are in both.
    static final long GUID_MIDDLE = 0x0080_0010_0000_0000L;
    static final long GUID_END = 0x719B_3800_AA00_0080L;
    /// What a writer that could not seek back, or RF64, puts where a size belongs.
    private static final long UNKNOWN = 0xFFFF_FFFFL;

    private WavParser() {}

    static Wav parse(MemorySegment file) {
        long end = file.byteSize();
        if (end < 12 || LittleEndian.i32(file, 8) != WAVE || !isRiff(LittleEndian.i32(file, 0))) {
            throw FormatException.because("WAV: the file does not begin with RIFF, RF64 or BW64 and WAVE");
        }
        boolean wide = LittleEndian.i32(file, 0) != RIFF;
        long wideSize = -1;
        WavFormat format = null;
        long at = 12;
        while (end - at >= 8) {
            int id = LittleEndian.i32(file, at);
            long size = LittleEndian.u32(file, at + 4);
            long start = at + 8;
            if (id == DATA) {
                if (format == null) {
                    throw FormatException.because("WAV: the samples come before their format");
                }
                return samples(file, format, start, wide && size == UNKNOWN ? wideSize : size);
            }
            if (size > end - start) {
                throw FormatException.at(
                        at,
                        String.format(
                                "WAV: the file is truncated: the chunk takes %,d bytes, %,d are there",
                                size, end - start));
            }
            if (id == FORMAT) {
                format = format(file, start, size);
            } else if (id == SIZES && wide && size >= 16) {
                wideSize = LittleEndian.i64(file, start + 8);
            }
            at = start + size + (size & 1);
        }
        throw FormatException.because("WAV: the file has no " + (format == null ? "format and no " : "") + "samples");
    }

    private static boolean isRiff(int tag) {
        return tag == RIFF || tag == RF64 || tag == BW64;
    }

    private static Wav samples(MemorySegment file, WavFormat format, long start, long size) {
        long there = file.byteSize() - start;
        long bytes = size == UNKNOWN || size == -1 ? there : size;
        if (bytes < 0 || bytes > there) {
            throw FormatException.at(
                    start,
                    String.format(
                            "WAV: the file is truncated: the samples take %,d bytes, %,d are there", size, there));
        }
        long frames = bytes / format.frameBytes();
        return new Wav(format, file.asSlice(start, frames * format.frameBytes()), frames);
    }

    private static WavFormat format(MemorySegment file, long at, long size) {
        if (size < 16) {
            throw FormatException.because("WAV: the format takes " + size + " bytes, at least 16 are needed");
        }
        int encoding = LittleEndian.u16(file, at);
        int channels = LittleEndian.u16(file, at + 2);
        long rate = LittleEndian.u32(file, at + 4);
        int frameBytes = LittleEndian.u16(file, at + 12);
        int bits = LittleEndian.u16(file, at + 14);
        int mask = 0;
        int containerBits = bits;
        if (encoding == EXTENSIBLE) {
            if (size < EXTENSIBLE_BYTES
                    || LittleEndian.i64(file, at + 26) != GUID_MIDDLE
                    || LittleEndian.i64(file, at + 32) != GUID_END) {
                throw FormatException.because("WAV: the format is extensible, of an encoding without a number");
            }
            encoding = LittleEndian.u16(file, at + 24);
            mask = LittleEndian.i32(file, at + 20);
            int valid = LittleEndian.u16(file, at + 18);
            bits = valid == 0 ? bits : valid;
        }
        int sampleBytes = channels == 0 ? 0 : frameBytes / channels;
        boolean fits = channels > 0
                && sampleBytes * channels == frameBytes
                && (containerBits + 7) / 8 == sampleBytes
                && bits <= containerBits
                && rate > 0
                && rate <= Integer.MAX_VALUE;
        boolean supported = fits
                && switch (encoding) {
                    case INTEGER -> sampleBytes <= 4 && bits > 0;
                    case FLOAT -> (sampleBytes == 4 || sampleBytes == 8) && bits == 8 * sampleBytes;
                    default -> false;
                };
        if (!supported) {
            throw FormatException.because(String.format(
                    "WAV: encoding %d (%s) with %d bits, %d channels, %d bytes a frame and %,d Hz is %s",
                    encoding,
                    name(encoding),
                    bits,
                    channels,
                    frameBytes,
                    rate,
                    fits ? "not supported: integers of up to 32 bits and floats are" : "contradictory"));
        }
        WavFormat.Encoding kind = encoding == INTEGER ? WavFormat.Encoding.INTEGER : WavFormat.Encoding.FLOAT;
        return new WavFormat(kind, channels, (int) rate, bits, sampleBytes, mask);
    }

    private static String name(int encoding) {
        return switch (encoding) {
            case INTEGER -> "integer";
            case FLOAT -> "floating point";
            case 2, 0x11 -> "ADPCM";
            case 6 -> "A-law";
            case 7 -> "mu-law";
            case 0x55 -> "MP3";
            default -> "unknown";
        };
    }
}
