package org.jspdl.wav;

import org.jspdl.memory.ElementType;

/// How the samples of a WAV file are written.
///
/// @param encoding     integers or floating-point numbers
/// @param channels     how many samples there are at one moment
/// @param sampleRateHz frames a second
/// @param bits         the bits of a sample that count, from the top of its bytes
/// @param sampleBytes  the bytes a sample takes
/// @param channelMask  which loudspeakers the channels are for, as Windows counts them; 0 where nothing is said
public record WavFormat(Encoding encoding, int channels, int sampleRateHz, int bits, int sampleBytes, int channelMask) {
    /// What a sample is.
    public enum Encoding {
        /// An integer: unsigned if it is of one byte, else signed.
        INTEGER,
        /// An IEEE 754 number, 1.0 being full scale.
        FLOAT
    }

    /// Checks that such samples exist.
    public WavFormat {
        boolean exists = encoding == Encoding.INTEGER
                ? sampleBytes >= 1 && sampleBytes <= 4 && bits >= 1 && bits <= 8 * sampleBytes
                : (sampleBytes == 4 || sampleBytes == 8) && bits == 8 * sampleBytes;
        if (!exists || channels < 1 || channels > 0xFFFF / sampleBytes || sampleRateHz < 1) {
            throw new IllegalArgumentException("no WAV format has " + channels + " channels of " + bits + " bits in "
                    + sampleBytes + " bytes, " + encoding + ", at " + sampleRateHz + " Hz");
        }
    }

    /// Integers of 8, 16, 24 or 32 bits.
    public static WavFormat integer(int bits, int channels, int sampleRateHz) {
        return new WavFormat(Encoding.INTEGER, channels, sampleRateHz, bits, (bits + 7) / 8, 0);
    }

    /// Floating-point numbers of 32 or 64 bits.
    public static WavFormat floating(int bits, int channels, int sampleRateHz) {
        return new WavFormat(Encoding.FLOAT, channels, sampleRateHz, bits, bits / 8, 0);
    }

    /// The bytes of the samples of one moment.
    public int frameBytes() {
        return channels * sampleBytes;
    }

    /// Whether samples can be elements of a tensor as they are: all but integers of three bytes.
    public boolean isElement() {
        return sampleBytes != 3;
    }

    /// What a sample is as an element of a tensor; three bytes become the upper ones of four.
    public ElementType elementType() {
        if (encoding == Encoding.FLOAT) {
            return sampleBytes == 4 ? ElementType.FLOAT32 : ElementType.FLOAT64;
        }
        return switch (sampleBytes) {
            case 1 -> ElementType.UINT8;
            case 2 -> ElementType.INT16;
            default -> ElementType.INT32;
        };
    }
}
