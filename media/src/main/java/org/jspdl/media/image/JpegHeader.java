package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Reads the markers of a JPEG file up to its frame header.
final class JpegHeader {
    /// As many as TurboJPEG allows.
    private static final int MOST_SCANS = 500;

    private JpegHeader() {}

    /// Refuses a file with more scans than any encoder makes: each one costs as much as the whole picture.
    static void checkScans(MemorySegment bytes) {
        int scans = 0;
        int previous = 0;
        for (long at = 0; at < bytes.byteSize(); at++) {
            int current = bytes.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
            scans += previous == 0xFF && current == 0xDA ? 1 : 0;
            previous = current;
        }
        if (scans > MOST_SCANS) {
            throw DecodeException.because(String.format(
                    "JPEG of %,d bytes has more than %d scans: %,d", bytes.byteSize(), MOST_SCANS, scans));
        }
    }

    static void read(MemorySegment bytes, Header header) {
        long at = 2;
        for (; ; ) {
            if (Bytes.u8(bytes, at) != 0xFF) {
                throw DecodeException.because(
                        String.format("byte %,d should begin a marker but is 0x%02X", at, Bytes.u8(bytes, at)));
            }
            int marker = Bytes.u8(bytes, at + 1);
            at++;
            if (marker == 0xFF) {
                continue; // fill bytes
            }
            at++;
            if (marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8)) {
                continue; // markers without content
            }
            if (marker == 0xD9 || marker == 0xDA) {
                throw DecodeException.because(String.format("no frame header before byte %,d", at));
            }
            int length = Bytes.be16(bytes, at);
            if (length < 2) {
                throw DecodeException.because(
                        String.format("the marker at byte %,d has a length of %d", at - 2, length));
            }
            if (marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC) {
                header.size(
                        Bytes.be16(bytes, at + 5),
                        Bytes.be16(bytes, at + 3),
                        Bytes.u8(bytes, at + 7),
                        Bytes.u8(bytes, at + 2));
                return;
            }
            if (marker == 0xE1 && Bytes.is(bytes, at + 2, "Exif\0\0")) {
                header.orientation = Exif.orientation(bytes, at + 8, at + length);
            }
            at += length;
        }
    }
}
