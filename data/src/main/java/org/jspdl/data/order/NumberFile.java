package org.jspdl.data.order;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspdl.array.Npy;
import org.jspdl.input.InputException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Tensor;

/// Numbers in a file, for orders: NumPy's `.npy`, or a text with one number on each line. Empty lines are passed over.
public final class NumberFile {
    /// Of a file; more fit no order.
    private static final long MOST_BYTES = 1L << 33;

    private static final String NPY = ".npy";

    private NumberFile() {}

    /// The indices in `file`: of an array of one dimension or of a text in one row, of an array of two dimensions
    /// [epochs, places] in a row for each epoch.
    ///
    /// @throws IOException if the file cannot be read, or holds anything but whole numbers from 0
    public static long[][] indices(Path file) throws IOException {
        if (!isNpy(file)) {
            return new long[][] {whole(file)};
        }
        try (BufferPool pool = BufferPool.unbounded("order");
                Tensor numbers = load(file, pool)) {
            long[] extents = numbers.shape().extents();
            if (extents.length < 1 || extents.length > 2) {
                throw new IOException(file + " must be an array of one dimension, or of two, [epochs, places], but has "
                        + extents.length + " dimensions: " + numbers.shape());
            }
            int rows = extents.length == 1 ? 1 : Math.toIntExact(extents[0]);
            int places = Math.toIntExact(extents[extents.length - 1]);
            if (rows == 0 || places == 0) {
                throw new IOException(file + " has no indices: " + numbers.shape());
            }
            long[][] indices = new long[rows][places];
            for (int row = 0; row < rows; row++) {
                for (int place = 0; place < places; place++) {
                    indices[row][place] = index(file, numbers, (long) row * places + place);
                }
            }
            return indices;
        }
    }

    /// The numbers in `file`: an array of one dimension, or a text.
    ///
    /// @throws IOException if the file cannot be read, or holds anything else
    public static double[] numbers(Path file) throws IOException {
        if (!isNpy(file)) {
            List<String> lines = lines(file);
            double[] values = new double[lines.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = decimal(file, i, lines.get(i));
            }
            return values;
        }
        try (BufferPool pool = BufferPool.unbounded("order");
                Tensor numbers = load(file, pool)) {
            if (numbers.shape().rank() != 1) {
                throw new IOException(file + " must be an array of one dimension but has " + numbers.shape());
            }
            double[] values = new double[Math.toIntExact(numbers.shape().elements())];
            for (int i = 0; i < values.length; i++) {
                values[i] = number(file, numbers, i);
            }
            return values;
        }
    }

    private static boolean isNpy(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("there is no file at " + file);
        }
        if (Files.size(file) > MOST_BYTES) {
            throw new IOException(file + " has " + Files.size(file) + " bytes, more than the " + MOST_BYTES
                    + " that an order may have");
        }
        return file.toString().endsWith(NPY);
    }

    private static Tensor load(Path file, BufferPool pool) throws IOException {
        try {
            return Npy.load(file, pool);
        } catch (InputException | UncheckedIOException broken) {
            throw new IOException(String.valueOf(broken.getMessage()), broken);
        }
    }

    private static long[] whole(Path file) throws IOException {
        List<String> lines = lines(file);
        long[] indices = new long[lines.size()];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = checked(file, i, parsed(file, i, lines.get(i)));
        }
        return indices;
    }

    private static long parsed(Path file, int number, String line) throws IOException {
        try {
            return Long.parseLong(line);
        } catch (NumberFormatException other) {
            throw new IOException(file + ", number " + (number + 1) + ": '" + line + "' is no whole number", other);
        }
    }

    private static double decimal(Path file, int number, String line) throws IOException {
        try {
            return Double.parseDouble(line);
        } catch (NumberFormatException other) {
            throw new IOException(file + ", number " + (number + 1) + ": '" + line + "' is no number", other);
        }
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .toList();
        } catch (CharacterCodingException notText) {
            throw new IOException(
                    file + " is no text: numbers come from .npy files, or from a text with one on each" + " line",
                    notText);
        }
    }

    private static long index(Path file, Tensor numbers, long place) throws IOException {
        MemorySegment bytes = numbers.segment();
        long value = switch (numbers.type()) {
            case INT64, UINT64 -> bytes.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, place);
            case INT32 -> bytes.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, place);
            case UINT32 -> Integer.toUnsignedLong(bytes.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, place));
            case INT16 -> bytes.getAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, place);
            case UINT16 -> Short.toUnsignedLong(bytes.getAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, place));
            case INT8 -> bytes.get(ValueLayout.JAVA_BYTE, place);
            case UINT8 -> Byte.toUnsignedLong(bytes.get(ValueLayout.JAVA_BYTE, place));
            default ->
                throw new IOException(file + " must hold whole numbers but holds " + numbers.type()
                        + (numbers.type() == ElementType.BOOL ? "; numpy.flatnonzero(mask) makes indices" : ""));
        };
        return checked(file, place, value);
    }

    private static long checked(Path file, long place, long value) throws IOException {
        if (value < 0) {
            throw new IOException(file + ": index " + value + " at place " + place + " is negative; indices count from"
                    + " 0 and up to the size of the dataset");
        }
        return value;
    }

    private static double number(Path file, Tensor numbers, int place) throws IOException {
        return switch (numbers.type()) {
            case FLOAT64 -> numbers.segment().getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, place);
            case FLOAT32 -> numbers.segment().getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, place);
            default -> index(file, numbers, place);
        };
    }
}
