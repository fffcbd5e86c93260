package org.jspdl.media.internal.container;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/// Follows the outermost lengths of a container as its bytes pass by, and tells where the file should end at least. A
/// shorter file was cut off: demuxers take its end for that of the last packet, or pass over those that are missing.
///
/// MP4 and MOV say so by the boxes that hold samples, Matroska and WebM by the segment, WAV, Wave64, AVI, AIFF and CAF
/// by the pieces with sound and pictures, AU in its header, MP3 in the frame that most encoders put before the sound. A
/// length that a recorder leaves open (0, or about the most that fits) says nothing, nor does what comes behind
/// something unknown. No byte is read for this. Used by one thread at a time.
public final class ClaimedEnd {
    private static final int HEADER_BYTES = 16;
    /// Sizes of 32 bits from here on stand for an unknown one.
    private static final long OPEN = 0x7F000000L;

    private static final Set<String> BOXES = Set.of(
            "ftyp", "styp", "moov", "mdat", "moof", "mfra", "sidx", "ssix", "free", "skip", "wide", "uuid", "udta",
            "meta", "pnot", "pdin", "prft", "emsg");
    private static final Set<String> SAMPLE_BOXES = Set.of("mdat", "moov", "moof");
    private static final Set<String> PIECES = Set.of(
            "fmt ", "fact", "LIST", "JUNK", "bext", "COMM", "FVER", "data", "SSND", "desc", "chan", "kuki", "info",
            "pakt");
    private static final Set<String> SAMPLE_PIECES = Set.of("data", "SSND", "LIST");
    /// What follows `riff` in the first of the names of 16 bytes that Wave64 has.
    private static final int WAVE64 = 0x2E91CF11;

    private static final int WAVE64_BEGIN = 40;
    /// What the names of the pieces of ASF begin with that hold its header and its packets.
    private static final int ASF_HEADER = 0x3026B275;

    private static final int ASF_DATA = 0x3626B275;
    /// A piece with packets is as large without any; recorders leave that, or less.
    private static final int ASF_EMPTY = 51;

    private static final int EBML = 0x1A45DFA3;
    private static final int SEGMENT = 0x18538067;

    private final byte[] header = new byte[HEADER_BYTES];
    private Kind kind = Kind.UNKNOWN;
    /// Where the next header begins, and how many of its bytes are known.
    private long next;

    private int known;
    private long end;
    /// Of the sound of a WAV file with sizes of 64 bits (RF64, BW64), where the piece that tells it ends; 0 if
    /// unknown.
    private long longData;

    private long behindLong;
    /// Of files whose pieces have names of 16 bytes: whether it is ASF, and whether the piece holds samples.
    private boolean isAsf;

    private boolean holdsSamples;

    /// How lengths are written; `NOTHING` if none is to come.
    private enum Kind {
        UNKNOWN,
        BOXES,
        RIFF,
        LONG_SIZES,
        AIFF,
        CAF,
        MATROSKA,
        MP3,
        MP3_TOLD,
        NAMES,
        SIZE_BEHIND_NAME,
        NOTHING
    }

    /// Whether the container goes on behind a file of `size` bytes, as far as is known so far.
    public boolean isBehind(long size) {
        return size >= 0 && end > size;
    }

    /// Takes bytes that were read from `position` on.
    public void follow(long position, MemorySegment bytes) {
        while (kind != Kind.NOTHING) {
            if (known == HEADER_BYTES) {
                long before = next;
                step();
                // headers may overlap
                known = (int) Math.max(0, HEADER_BYTES - (next - before));
                System.arraycopy(header, HEADER_BYTES - known, header, 0, known);
                continue;
            }
            long from = next + known - position;
            if (from < 0 || from >= bytes.byteSize()) {
                return;
            }
            int count = (int) Math.min(HEADER_BYTES - known, bytes.byteSize() - from);
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, from, header, known, count);
            known += count;
        }
    }

    private void step() {
        switch (kind) {
            case UNKNOWN -> begin();
            case BOXES -> box();
            case RIFF -> piece(ByteOrder.LITTLE_ENDIAN);
            case LONG_SIZES -> longSizes();
            case AIFF -> piece(ByteOrder.BIG_ENDIAN);
            case CAF -> longPiece();
            case MATROSKA -> segment();
            case MP3 -> tagOrFrame();
            case MP3_TOLD -> told();
            case NAMES -> name();
            case SIZE_BEHIND_NAME -> sizeBehindName();
            case NOTHING -> {}
        }
    }

    private void begin() {
        String first = text(0);
        String kinds = text(8);
        boolean isLongWave = (first.equals("RF64") || first.equals("BW64")) && kinds.equals("WAVE");
        if (isLongWave || (first.equals("RIFF") && (kinds.equals("WAVE") || kinds.equals("AVI ")))) {
            kind = Kind.RIFF;
            next = 12;
        } else if (first.equals("FORM") && kinds.startsWith("AIF")) {
            kind = Kind.AIFF;
            next = 12;
        } else if (first.equals("riff") && number(4, ByteOrder.BIG_ENDIAN) == WAVE64) {
            kind = Kind.NAMES;
            next = WAVE64_BEGIN;
        } else if (number(0, ByteOrder.BIG_ENDIAN) == ASF_HEADER) {
            isAsf = true;
            name();
        } else if (first.equals("caff")) {
            kind = Kind.CAF;
            next = 8;
        } else if (first.equals(".snd")) {
            kind = Kind.NOTHING;
            long size = number(8, ByteOrder.BIG_ENDIAN) & 0xFFFFFFFFL;
            end = size == 0 || size >= OPEN ? 0 : (number(4, ByteOrder.BIG_ENDIAN) & 0xFFFFFFFFL) + size;
        } else if (BOXES.contains(text(4))) {
            kind = Kind.BOXES;
        } else if (number(0, ByteOrder.BIG_ENDIAN) == EBML) {
            kind = Kind.MATROSKA;
        } else {
            kind = Kind.MP3;
            tagOrFrame();
        }
    }

    /// Of MP3, of which tags come first, and then a frame that may tell of the others.
    private void tagOrFrame() {
        int tag = Mp3Told.tagBytes(header);
        int about = tag > 0 ? 0 : Mp3Told.offset(number(0, ByteOrder.BIG_ENDIAN));
        next += tag + about;
        kind = about > 0 ? Kind.MP3_TOLD : tag > 0 ? Kind.MP3 : Kind.NOTHING;
    }

    private void told() {
        kind = Kind.NOTHING;
        end = Mp3Told.bytes(header);
    }

    private void box() {
        String type = text(4);
        long size = number(0, ByteOrder.BIG_ENDIAN) & 0xFFFFFFFFL;
        if (size == 1) {
            size = ByteBuffer.wrap(header).getLong(8);
        }
        advance(size, size >= 8 && BOXES.contains(type), SAMPLE_BOXES.contains(type));
    }

    private void piece(ByteOrder order) {
        String type = text(0);
        long size = number(4, order) & 0xFFFFFFFFL;
        if (type.equals("ds64")) {
            behindLong = next + 8 + size;
            next += HEADER_BYTES;
            kind = Kind.LONG_SIZES;
            return;
        }
        boolean isLong = longData > 0 && size == 0xFFFFFFFFL && type.equals("data");
        boolean open = !isLong && (size == 0 || size >= OPEN);
        size = isLong ? longData : size;
        advance(8 + size, !open && PIECES.contains(type), SAMPLE_PIECES.contains(type));
        next += size & 1;
        // Sound is followed by whatever a writer likes.
        kind = SAMPLE_PIECES.contains(type) && !type.equals("LIST") ? Kind.NOTHING : kind;
    }

    /// Of a piece of Wave64 or ASF, which has 16 bytes.
    private void name() {
        holdsSamples = isAsf ? number(0, ByteOrder.BIG_ENDIAN) == ASF_DATA : text(0).equals("data");
        next += HEADER_BYTES;
        kind = Kind.SIZE_BEHIND_NAME;
    }

    /// The size that comes then counts itself and the name; the next piece of Wave64 begins at a multiple of eight.
    private void sizeBehindName() {
        long size = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getLong(0);
        long begin = next - HEADER_BYTES;
        boolean open = size < (isAsf ? ASF_EMPTY : HEADER_BYTES + Long.BYTES) || size > Long.MAX_VALUE / 2;
        if (holdsSamples || open) {
            end = open ? 0 : begin + size;
            kind = Kind.NOTHING;
        } else {
            next = begin + (isAsf ? size : Math.ceilDiv(size, Long.BYTES) * Long.BYTES);
            kind = Kind.NAMES;
        }
    }

    /// Behind the size of the whole in the piece that tells sizes of 64 bits.
    private void longSizes() {
        long size = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getLong(0);
        longData = size < Long.MAX_VALUE - HEADER_BYTES ? size : 0;
        kind = behindLong < next + Long.BYTES ? Kind.NOTHING : Kind.RIFF;
        next = Math.max(next, behindLong);
    }

    /// Of CAF, whose sizes have 64 bits, of which all are set if they are open.
    private void longPiece() {
        String type = text(0);
        long size = ByteBuffer.wrap(header).getLong(4);
        advance(size < 0 || size > Long.MAX_VALUE - 12 ? -1 : 12 + size, PIECES.contains(type), type.equals("data"));
        kind = type.equals("data") ? Kind.NOTHING : kind;
    }

    /// The header of the file, and then its only segment.
    private void segment() {
        int id = number(0, ByteOrder.BIG_ENDIAN);
        int length = Integer.numberOfLeadingZeros(header[4] & 0xFF) - 24 + 1;
        if (length > 8) {
            kind = Kind.NOTHING;
            return;
        }
        long size = header[4] & (0xFF >> length);
        boolean open = size == (0xFF >> length);
        for (int i = 1; i < length; i++) {
            size = (size << 8) | (header[4 + i] & 0xFF);
            open &= header[4 + i] == -1;
        }
        advance(4 + length + size, !open && (id == EBML || id == SEGMENT), id == SEGMENT);
        kind = id == SEGMENT ? Kind.NOTHING : kind;
    }

    private void advance(long size, boolean understood, boolean hasSamples) {
        if (!understood || size < 0 || size > Long.MAX_VALUE - next - 1) {
            kind = Kind.NOTHING;
            return;
        }
        next += size;
        end = hasSamples ? Math.max(end, next) : end;
    }

    private String text(int at) {
        return new String(header, at, 4, StandardCharsets.ISO_8859_1);
    }

    private int number(int at, ByteOrder order) {
        return ByteBuffer.wrap(header).order(order).getInt(at);
    }
}
