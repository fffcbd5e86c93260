package org.jspdl.memory;

import java.util.Arrays;

/// The extents of a tensor, outermost first; the empty shape is a scalar.
public final class Shape {
    private final long[] extents;
    private final long elements;

    private Shape(long[] extents, long elements) {
        this.extents = extents;
        this.elements = elements;
    }

    /// A shape of the given extents.
    ///
    /// @throws IllegalArgumentException if an extent is negative or the product exceeds a long
    public static Shape of(long... extents) {
        long elements = 1;
        for (long extent : extents) {
            if (extent < 0) {
                throw new IllegalArgumentException("extents must not be negative but were " + Arrays.toString(extents));
            }
            try {
                elements = Math.multiplyExact(elements, extent);
            } catch (ArithmeticException overflow) {
                throw new IllegalArgumentException("too many elements in shape " + Arrays.toString(extents), overflow);
            }
        }
        return new Shape(extents.clone(), elements);
    }

    /// How many dimensions there are.
    public int rank() {
        return extents.length;
    }

    /// The extent of dimension `dimension`, counted from the outermost.
    public long extent(int dimension) {
        return extents[dimension];
    }

    /// All extents, outermost first; a copy.
    public long[] extents() {
        return extents.clone();
    }

    /// The product of the extents.
    public long elements() {
        return elements;
    }

    /// This shape with one more, outermost, dimension.
    public Shape batched(long rows) {
        long[] batched = new long[extents.length + 1];
        batched[0] = rows;
        System.arraycopy(extents, 0, batched, 1, extents.length);
        return of(batched);
    }

    /// This shape without its outermost dimension.
    public Shape row() {
        if (extents.length == 0) {
            throw new IllegalStateException("a scalar has no rows");
        }
        return of(Arrays.copyOfRange(extents, 1, extents.length));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Shape shape && Arrays.equals(extents, shape.extents);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(extents);
    }

    @Override
    public String toString() {
        return Arrays.toString(extents);
    }
}
