package org.jspdl.array;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspdl.archive.internal.LittleEndian;
import org.jspdl.files.InputFile;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.SegmentBuffers;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// NumPy's NPY files, versions 1 to 3: any boolean, integer, floating-point or complex type, either byte order, C or
/// Fortran order. Strings, dates, Python objects and structured elements are refused by name.
public final class Npy {
    /// NumPy aligns the elements to this.
    private static final int ALIGNMENT = 64;
    /// Holds every header that NumPy writes for a simple type.
    private static final int FIRST_READ = 4096;

    private Npy() {}

    /// The array in `file`, which is the content of an NPY file; copies nothing and allocates no element.
    ///
    /// Bytes behind the elements are ignored, as NumPy does.
    ///
    /// @throws FormatException if it is no NPY file, is truncated, or of a type not supported
    public static ArrayView view(MemorySegment file) {
        NpyHeader header = NpyHeader.parse(file);
        ElementType type = header.type();
        Shape shape = header.shape();
        long needed = elementBytes(type, shape);
        long there = file.byteSize() - header.dataOffset;
        if (there < needed) {
            throw truncated(type, shape, needed, there);
        }
        return ArrayView.of(
                type, shape, file.asSlice(header.dataOffset, needed), header.byteOrder(), header.memoryOrder());
    }

    private static long elementBytes(ElementType type, Shape shape) {
        try {
            long most = type.byteSize(); // as if no extent were 0: places are counted as well as bytes
            for (long extent : shape.extents()) {
                most = Math.multiplyExact(most, Math.max(1, extent));
            }
            return Tensor.byteSize(type, shape);
        } catch (ArithmeticException tooLarge) {
            throw FormatException.because("NPY: " + type + " " + shape + " needs more bytes than 64 bits can count");
        }
    }

    private static FormatException truncated(ElementType type, Shape shape, long needed, long there) {
        return FormatException.because(String.format(
                "NPY: the file is truncated: %s %s needs %,d bytes but %,d follow the header",
                type, shape, needed, there));
    }

    /// Reads the file at `path` into memory from `pool`, row-major and in the machine's byte order; the caller owns
    /// the tensor.
    ///
    /// @throws FormatException as [#view] does, the message begins with the path
    /// @throws UncheckedIOException if it cannot be read
    public static Tensor load(Path path, BufferPool pool) {
        try (FileChannel channel = InputFile.open(path)) {
            return load(channel, pool);
        } catch (FormatException broken) {
            throw broken.withSource(path.toString());
        } catch (IOException unreadable) {
            throw InputFile.unreadable(path, unreadable);
        }
    }

    private static Tensor load(FileChannel channel, BufferPool pool) throws IOException {
        long size = channel.size();
        MemorySegment start = MemorySegment.ofArray(new byte[(int) Math.min(size, FIRST_READ)]);
        SegmentBuffers.readFully(channel, 0, start);
        long headerBytes = NpyHeader.byteSize(start);
        if (headerBytes > start.byteSize() && headerBytes <= Math.min(size, 1 << 30)) {
            start = MemorySegment.ofArray(new byte[(int) headerBytes]);
            SegmentBuffers.readFully(channel, 0, start);
        }
        NpyHeader header = NpyHeader.parse(start);
        ElementType type = header.type();
        Shape shape = header.shape();
        long needed = elementBytes(type, shape);
        if (size - header.dataOffset < needed) {
            throw truncated(type, shape, needed, size - header.dataOffset);
        }
        Tensor tensor = Tensor.allocate(type, shape, pool);
        try {
            SegmentBuffers.readFully(channel, header.dataOffset, tensor.segment());
            return ordered(tensor, header, pool);
        } catch (IOException | RuntimeException | Error failure) {
            tensor.close();
            throw failure;
        }
    }

    /// The elements of `read`, which it owns, as a tensor has them.
    private static Tensor ordered(Tensor read, NpyHeader header, BufferPool pool) {
        ArrayView view =
                ArrayView.of(read.type(), read.shape(), read.segment(), header.byteOrder(), header.memoryOrder());
        if (view.memoryOrder() == MemoryOrder.COLUMN_MAJOR) {
            try (read) {
                return view.toTensor(pool);
            }
        }
        if (!view.isPlain()) {
            Reordering.swapBytes(read.segment(), ArrayView.numberBytes(read.type()));
        }
        return read;
    }

    /// Writes `array` as an NPY file that NumPy reads, replacing what is at `path`.
    ///
    /// @throws IllegalArgumentException if NumPy has no such element type
    public static void write(Path path, ArrayView array) throws IOException {
        try (FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            write(channel, array);
        }
    }

    /// Writes `array` as an NPY file to `channel`, which stays open.
    ///
    /// @throws IllegalArgumentException if NumPy has no such element type
    public static void write(WritableByteChannel channel, ArrayView array) throws IOException {
        SegmentBuffers.write(channel, MemorySegment.ofArray(header(array)));
        SegmentBuffers.write(channel, array.segment());
    }

    /// What stands before the elements of `array`; a multiple of 64 bytes.
    static byte[] header(ArrayView array) {
        String descr = NpyType.nameOf(array.type());
        if (array.byteOrder() != ByteOrder.nativeOrder()) {
            descr = (descr.charAt(0) == '<' ? ">" : "<") + descr.substring(1);
        }
        StringBuilder shape = new StringBuilder("(");
        for (long extent : array.shape().extents()) {
            shape.append(extent).append(array.shape().rank() == 1 ? "," : ", ");
        }
        if (array.shape().rank() > 1) {
            shape.setLength(shape.length() - 2);
        }
        String text = "{'descr': '" + descr + "', 'fortran_order': "
                + (array.memoryOrder() == MemoryOrder.COLUMN_MAJOR ? "True" : "False") + ", 'shape': " + shape + "), }";
        // 64 dimensions of 20 characters stay far below the 65,535 bytes of version 1.
        int total = Math.ceilDiv(NpyHeader.PREFIX_BYTES + text.length() + 1, ALIGNMENT) * ALIGNMENT;
        String padded = text + " ".repeat(total - NpyHeader.PREFIX_BYTES - text.length() - 1) + "\n";
        byte[] header = new byte[total];
        byte[] magic = "\u0093NUMPY\u0001\u0000".getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(magic, 0, header, 0, magic.length);
        LittleEndian.put16(MemorySegment.ofArray(header), 8, total - NpyHeader.PREFIX_BYTES);
        byte[] characters = padded.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(characters, 0, header, NpyHeader.PREFIX_BYTES, characters.length);
        return header;
    }
}
