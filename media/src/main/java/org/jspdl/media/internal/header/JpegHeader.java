package org.jspdl.media.internal.header;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.input.DecodeException;

/// Reads the markers of a JPEG file: up to its frame header, and on to its scan where that is of use.
public final class JpegHeader {
    /// As many as TurboJPEG allows.
    private static final int MOST_SCANS = 500;
    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;
    private static final int BASELINE = 0xC0;
    private static final int EXTENDED = 0xC1;
    private static final int RESTART_INTERVAL = 0xDD;
    private static final int SCAN = 0xDA;

    private JpegHeader() {}

    /// Refuses a file with more scans than any encoder makes: each one costs as much as the whole picture.
    public static void checkScans(MemorySegment bytes) {
        int scans = 0;
        long at = 0;
        long size = bytes.byteSize();
        while (at + Long.BYTES < size) {
            long eight = bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
            // a byte of eight ones leaves a zero byte in the complement
            if (((~eight - ONES) & eight & TOPS) != 0) {
                for (int i = 0; i < Long.BYTES; i++) {
                    scans += isScan(bytes, at + i) ? 1 : 0;
                }
            }
            at += Long.BYTES;
        }
        for (; at + 1 < size; at++) {
            scans += isScan(bytes, at) ? 1 : 0;
        }
        if (scans > MOST_SCANS) {
            throw DecodeException.because(String.format(
                    "JPEG of %,d bytes has more than %d scans: %,d", bytes.byteSize(), MOST_SCANS, scans));
        }
    }

    private static boolean isScan(MemorySegment bytes, long at) {
        return bytes.get(ValueLayout.JAVA_BYTE, at) == (byte) 0xFF
                && bytes.get(ValueLayout.JAVA_BYTE, at + 1) == (byte) 0xDA;
    }

    static void read(MemorySegment bytes, ImageHeader header) {
        boolean hasExif = false;
        long at = 2;
        for (; ; ) {
            if (HeaderBytes.u8(bytes, at) != 0xFF) {
                at++; // bytes between segments: whether they are an error is for a decoder to say
                continue;
            }
            int marker = HeaderBytes.u8(bytes, at + 1);
            at++;
            if (marker == 0xFF) {
                continue; // fill bytes
            }
            at++;
            if (marker == 0x00 || marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8)) {
                continue; // markers without content
            }
            if (marker == 0xD9 || marker == 0xDA) {
                throw DecodeException.at(at, "there is no frame header before the image data");
            }
            int length = HeaderBytes.be16(bytes, at);
            if (marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC) {
                header.size(
                        HeaderBytes.be16(bytes, at + 5),
                        HeaderBytes.be16(bytes, at + 3),
                        HeaderBytes.u8(bytes, at + 7),
                        HeaderBytes.u8(bytes, at + 2));
                header.frame = at - 2;
                return;
            }
            if (marker == 0xE1 && !hasExif && HeaderBytes.is(bytes, at + 2, "Exif\0\0")) {
                hasExif = true; // of several segments the first counts, as for others
                header.orientation = Exif.orientation(bytes, at + 8, at + length);
            }
            at += Math.max(length, 2); // a shorter one is for a decoder to judge, too
        }
    }

    /// Where in the file the number of rows is, if the picture can be decoded in part by making it smaller: it has
    /// a single scan of all components, without restarts, and nothing between its segments; else -1.
    public static long rowsOfSingleScan(MemorySegment bytes, ImageHeader header) {
        int kind = HeaderBytes.u8(bytes, header.frame + 1);
        if (kind != BASELINE && kind != EXTENDED) {
            return -1;
        }
        long at = header.frame + 2 + HeaderBytes.be16(bytes, header.frame + 2);
        for (; ; ) {
            if (at + 5 > bytes.byteSize() || HeaderBytes.u8(bytes, at) != 0xFF) {
                return -1;
            }
            int marker = HeaderBytes.u8(bytes, at + 1);
            if (marker == SCAN) {
                return HeaderBytes.u8(bytes, at + 4) == header.channels ? header.frame + 5 : -1;
            }
            int length = HeaderBytes.be16(bytes, at + 2);
            boolean plain = marker >= 0xC0 && marker < 0xFF && (marker < 0xD0 || marker > 0xD9);
            if (length < 2 || !plain || marker == RESTART_INTERVAL) {
                return -1;
            }
            at += 2 + length;
        }
    }

    /// How many coefficients have to be kept until all scans have come: none of a picture that has a single one.
    public static long keptCoefficients(MemorySegment bytes, ImageHeader header) {
        boolean isWhole = header.frame + 10 + 3L * header.channels <= bytes.byteSize();
        if (!isWhole || hasSingleScan(bytes, header)) {
            return 0;
        }
        int most = 1;
        int sum = 0;
        for (int c = 0; c < header.channels; c++) {
            int sampling = HeaderBytes.u8(bytes, header.frame + 11 + 3L * c);
            most = Math.max(most, (sampling >> 4) * (sampling & 0xF));
            sum += (sampling >> 4) * (sampling & 0xF);
        }
        return Math.ceilDiv((long) header.width * header.height * sum, most);
    }

    private static boolean hasSingleScan(MemorySegment bytes, ImageHeader header) {
        int kind = HeaderBytes.u8(bytes, header.frame + 1);
        if (kind != BASELINE && kind != EXTENDED) {
            return false;
        }
        long at = header.frame;
        while (at + 5 <= bytes.byteSize() && HeaderBytes.u8(bytes, at) == 0xFF) {
            if (HeaderBytes.u8(bytes, at + 1) == SCAN) {
                return HeaderBytes.u8(bytes, at + 4) == header.channels;
            }
            at += 2 + Math.max(2, HeaderBytes.be16(bytes, at + 2));
        }
        return false;
    }
}
