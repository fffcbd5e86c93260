package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.resample.HighBitDepthPicture;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.media.internal.resample.Picture.Model;
import org.jspdl.media.internal.resample.Upsampling;

/// A request to decode and its answer, as they lie in the memory that a program shares with its helper: a page of
/// numbers, the file, and the planes that came of it.
///
/// The answer is checked like input: what wrote it may have been about to crash.
final class CodecMessage {
    static final int DECODED = 1;
    static final int REFUSED = 2;
    static final int FAILED = 3;

    private static final long FILE = 4096;
    private static final int ALIGNMENT = 64;
    private static final int PLANES = 4;

    // the request
    private static final long HIGH_BIT_DEPTH = 0;
    private static final long REDUCE = 4;
    private static final long REGION = 8;
    private static final long MODE = 24;
    private static final long FILE_BYTES = 32;
    // the answer
    private static final long STATUS = 64;
    private static final long MODEL = 68;
    private static final long ACROSS = 72;
    private static final long DOWN = 76;
    private static final long WIDTH = 80;
    private static final long HEIGHT = 84;
    private static final long CHANNELS = 88;
    private static final long BIG_ENDIAN = 92;
    private static final long PLANE = 128;
    private static final long PLANE_BYTES = 24;
    private static final long TEXT_BYTES = 256;
    private static final long TEXT = 260;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private CodecMessage() {}

    /// What is asked for.
    record Request(boolean highBitDepth, int reduce, Region part, DecodeMode mode) {}

    /// How much memory a request and its answer take at most.
    static long byteSize(long fileBytes, ImageHeader header, Request request) {
        long planes = request.highBitDepth()
                ? roundUp(2L * PLANES * header.width) * header.height
                : PLANES * roundUp(header.width) * header.height;
        return roundUp(FILE + fileBytes) + planes + PLANES * ALIGNMENT;
    }

    static void write(Request request, MemorySegment file, MemorySegment shared) {
        Region part = request.part();
        DecodeMode mode = request.mode();
        int[] region = {part.left(), part.top(), part.right(), part.bottom()};
        shared.set(INT, HIGH_BIT_DEPTH, request.highBitDepth() ? 1 : 0);
        shared.set(INT, REDUCE, request.reduce());
        for (int i = 0; i < region.length; i++) {
            shared.set(INT, REGION + 4L * i, region[i]);
        }
        int bits = (mode.keepsAlpha() ? 1 : 0) | (mode.keepsDamaged() ? 2 : 0) | (mode.fastest() ? 4 : 0);
        shared.set(INT, MODE, bits);
        shared.set(LONG, FILE_BYTES, file.byteSize());
        shared.set(INT, STATUS, 0);
        MemorySegment.copy(file, 0, shared, FILE, file.byteSize());
    }

    static Request request(MemorySegment shared) {
        int bits = shared.get(INT, MODE);
        Region part = new Region(
                shared.get(INT, REGION),
                shared.get(INT, REGION + 4),
                shared.get(INT, REGION + 8),
                shared.get(INT, REGION + 12));
        DecodeMode mode = new DecodeMode((bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0);
        return new Request(shared.get(INT, HIGH_BIT_DEPTH) != 0, shared.get(INT, REDUCE), part, mode);
    }

    static MemorySegment file(MemorySegment shared) {
        return shared.asSlice(FILE, shared.get(LONG, FILE_BYTES));
    }

    static void writeFailure(int status, String text, MemorySegment shared) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = (int) Math.min(bytes.length, FILE - TEXT);
        MemorySegment.copy(bytes, 0, shared, ValueLayout.JAVA_BYTE, TEXT, length);
        shared.set(INT, TEXT_BYTES, length);
        shared.set(INT, STATUS, status);
    }

    static int status(MemorySegment shared) {
        return shared.get(INT, STATUS);
    }

    static String failure(MemorySegment shared) {
        long length = Math.clamp(shared.get(INT, TEXT_BYTES), 0, FILE - TEXT);
        return new String(shared.asSlice(TEXT, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    /// Copies what was decoded behind the file.
    static void write(Picture picture, MemorySegment shared) {
        long at = roundUp(FILE + shared.get(LONG, FILE_BYTES));
        for (int p = 0; p < picture.model().planes(); p++) {
            Picture.Plane plane = picture.plane(p);
            long stride = roundUp(plane.width());
            copy(plane.memory(), plane.row(0), plane.row(1) - plane.row(0), plane.width(), plane.height(), shared, at);
            describe(p, at, stride, plane.width(), plane.height(), shared);
            at += stride * plane.height();
        }
        shared.set(INT, MODEL, picture.model().ordinal());
        shared.set(INT, ACROSS, picture.across(1).ordinal());
        shared.set(INT, DOWN, picture.down(1).ordinal());
        shared.set(INT, WIDTH, picture.width());
        shared.set(INT, HEIGHT, picture.height());
        shared.set(INT, STATUS, DECODED);
    }

    static void write(HighBitDepthPicture picture, ImageHeader header, MemorySegment shared) {
        long at = roundUp(FILE + shared.get(LONG, FILE_BYTES));
        long bytes = 2L * picture.channels() * header.width;
        copy(picture.memory(), 0, picture.stride(), bytes, header.height, shared, at);
        describe(0, at, roundUp(bytes), header.width, header.height, shared);
        shared.set(INT, CHANNELS, picture.channels());
        shared.set(INT, BIG_ENDIAN, picture.order() == ByteOrder.BIG_ENDIAN ? 1 : 0);
        shared.set(INT, STATUS, DECODED);
    }

    private static void copy(
            MemorySegment from, long offset, long stride, long bytes, int rows, MemorySegment shared, long at) {
        long step = roundUp(bytes);
        if (stride == step) {
            MemorySegment.copy(from, offset, shared, at, (rows - 1) * stride + bytes);
            return;
        }
        for (int y = 0; y < rows; y++) {
            MemorySegment.copy(from, offset + y * stride, shared, at + y * step, bytes);
        }
    }

    private static void describe(int plane, long at, long stride, int width, int height, MemorySegment shared) {
        long place = PLANE + plane * PLANE_BYTES;
        shared.set(LONG, place, at);
        shared.set(LONG, place + 8, stride);
        shared.set(INT, place + 16, width);
        shared.set(INT, place + 20, height);
    }

    /// Describes what the helper decoded, where it lies.
    ///
    /// @throws IllegalStateException if it makes no sense
    static void read(MemorySegment shared, ImageHeader header, int reduce, Picture into) {
        Model model = Model.values()[index(shared, MODEL, Model.values().length)];
        Upsampling across = Upsampling.values()[index(shared, ACROSS, Upsampling.values().length)];
        Upsampling down = Upsampling.values()[index(shared, DOWN, Upsampling.values().length)];
        int width = shared.get(INT, WIDTH);
        int height = shared.get(INT, HEIGHT);
        boolean whole = width == header.width && height == header.height;
        boolean reduced = width == Math.ceilDiv(header.width, reduce) && height == Math.ceilDiv(header.height, reduce);
        check(whole || reduced);
        into.begin(width, height, model, across, down);
        for (int p = 0; p < model.planes(); p++) {
            boolean chroma = model == Model.YCBCR && p > 0;
            int planeWidth = chroma ? Math.ceilDiv(width, across.factor()) : width;
            int planeHeight = chroma ? Math.ceilDiv(height, down.factor()) : height;
            long place = PLANE + p * PLANE_BYTES;
            check(shared.get(INT, place + 16) == planeWidth && shared.get(INT, place + 20) == planeHeight);
            into.plane(p).set(shared, shared.get(LONG, place), shared.get(LONG, place + 8), planeWidth, planeHeight);
        }
    }

    static void read(MemorySegment shared, ImageHeader header, HighBitDepthPicture into) {
        long at = shared.get(LONG, PLANE);
        int channels = index(shared, CHANNELS, PLANES + 1);
        check(at >= FILE && at <= shared.byteSize() && channels > 0);
        ByteOrder order = shared.get(INT, BIG_ENDIAN) == 1 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        into.set(shared.asSlice(at), shared.get(LONG, PLANE + 8), header.width, header.height, channels, order);
    }

    private static int index(MemorySegment shared, long at, int count) {
        int value = shared.get(INT, at);
        check(value >= 0 && value < count);
        return value;
    }

    private static void check(boolean sensible) {
        if (!sensible) {
            throw new IllegalStateException("the process that decodes gave an answer that makes no sense");
        }
    }

    private static long roundUp(long bytes) {
        return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
    }
}
