package org.jspdl.data.shards.tfrecord;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspdl.memory.ElementType;

/// Reads records that are a `tf.train.Example`: named lists of bytes, of floats or of whole numbers, in the wire format
/// of protocol buffers. Anything else is not an example, and stays a record.
final class TfExample {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int LENGTH_DELIMITED = 2;
    private static final int FIXED_32 = 5;
    private static final int VARINT = 0;
    private static final int DEEP = 10;

    private final MemorySegment bytes;
    private long at;
    private long end;

    /// One named list.
    ///
    /// @param name    what it is called
    /// @param type    what its numbers are: `FLOAT32` or `INT64`; `UINT8` if it is of bytes
    /// @param texts   the elements of a list of bytes, which lie in the record
    /// @param numbers the bits of the elements of a list of numbers
    record Feature(String name, ElementType type, List<MemorySegment> texts, long[] numbers) {
        boolean isBytes() {
            return type == ElementType.UINT8;
        }

        /// What both are that were written for one: a list goes on, and of two kinds the last one counts.
        Feature with(Feature next) {
            if (next.type != type) {
                return next;
            }
            List<MemorySegment> all = new ArrayList<>(texts);
            all.addAll(next.texts);
            long[] both = Arrays.copyOf(numbers, numbers.length + next.numbers.length);
            System.arraycopy(next.numbers, 0, both, numbers.length, next.numbers.length);
            return new Feature(name, type, all, both);
        }
    }

    /// Ends the reading of what is no example.
    private static final class NoExample extends Exception {
        private static final long serialVersionUID = 1;

        NoExample(String why) {
            super(why, null, false, false);
        }
    }

    private TfExample(MemorySegment bytes, long from, long end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /// The lists of an example; empty if `record` is none. They lie in the record.
    static Optional<List<Feature>> parse(MemorySegment record) {
        try {
            return Optional.of(features(record));
        } catch (NoExample no) {
            return Optional.empty();
        }
    }

    /// Why `record` is no example: where it goes wrong, and in which feature; empty if it is one.
    static String objection(MemorySegment record) {
        try {
            features(record);
            return "";
        } catch (NoExample no) {
            return String.valueOf(no.getMessage());
        }
    }

    private static List<Feature> features(MemorySegment record) throws NoExample {
        TfExample example = new TfExample(record, 0, record.byteSize());
        if (record.byteSize() == 0) {
            throw new NoExample("it is empty");
        }
        List<Feature> features = new ArrayList<>();
        while (example.at < example.end) {
            TfExample all = example.message(1);
            while (all.at < all.end) {
                all.message(1).entry(features);
            }
        }
        return features;
    }

    /// A feature with its name. A map may be written with a name twice; the last one counts.
    private void entry(List<Feature> features) throws NoExample {
        String name = "";
        Feature feature = new Feature("", ElementType.UINT8, List.of(), new long[0]);
        try {
            while (at < end) {
                long tag = varint();
                if (tag == (1 << 3 | LENGTH_DELIMITED)) {
                    name = text(delimited());
                } else if (tag == (2 << 3 | LENGTH_DELIMITED)) {
                    feature = feature.with(inside().feature());
                } else {
                    throw unknown(tag, "an entry of its map");
                }
            }
        } catch (NoExample no) {
            throw new NoExample(
                    name.isEmpty()
                            ? String.valueOf(no.getMessage())
                            : "the feature '" + name + "': " + no.getMessage());
        }
        String called = name;
        features.removeIf(other -> other.name.equals(called));
        features.add(new Feature(name, feature.type, feature.texts, feature.numbers));
    }

    private String text(MemorySegment utf8) throws NoExample {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(utf8.asByteBuffer())
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new NoExample("at byte " + at + " ends the name of a feature that is not UTF-8");
        }
    }

    private Feature feature() throws NoExample {
        Feature feature = new Feature("", ElementType.UINT8, List.of(), new long[0]);
        while (at < end) {
            long tag = varint();
            if (tag == (1 << 3 | LENGTH_DELIMITED)) {
                feature = feature.with(inside().texts());
            } else if (tag == (2 << 3 | LENGTH_DELIMITED)) {
                feature = feature.with(inside().floats());
            } else if (tag == (3 << 3 | LENGTH_DELIMITED)) {
                feature = feature.with(inside().wholes());
            } else {
                throw unknown(tag, "a feature");
            }
        }
        return feature;
    }

    private Feature texts() throws NoExample {
        List<MemorySegment> texts = new ArrayList<>();
        while (at < end) {
            expect(1 << 3 | LENGTH_DELIMITED);
            texts.add(delimited());
        }
        return new Feature("", ElementType.UINT8, texts, new long[0]);
    }

    private Feature floats() throws NoExample {
        Numbers numbers = new Numbers();
        while (at < end) {
            long tag = varint();
            if (tag == (1 << 3 | FIXED_32)) {
                numbers.add(fixed());
            } else if (tag == (1 << 3 | LENGTH_DELIMITED)) {
                TfExample packed = inside();
                while (packed.at < packed.end) {
                    numbers.add(packed.fixed());
                }
            } else {
                throw unknown(tag, "a list of floats");
            }
        }
        return new Feature("", ElementType.FLOAT32, List.of(), numbers.all());
    }

    private Feature wholes() throws NoExample {
        Numbers numbers = new Numbers();
        while (at < end) {
            long tag = varint();
            if (tag == (1 << 3 | VARINT)) {
                numbers.add(varint());
            } else if (tag == (1 << 3 | LENGTH_DELIMITED)) {
                TfExample packed = inside();
                while (packed.at < packed.end) {
                    numbers.add(packed.varint());
                }
            } else {
                throw unknown(tag, "a list of whole numbers");
            }
        }
        return new Feature("", ElementType.INT64, List.of(), numbers.all());
    }

    private TfExample message(int field) throws NoExample {
        expect(field << 3 | LENGTH_DELIMITED);
        return inside();
    }

    private void expect(int tag) throws NoExample {
        long found = varint();
        if (found != tag) {
            throw unknown(found, "a message with the field " + (tag >>> 3) + " alone");
        }
    }

    private NoExample unknown(long tag, String where) {
        return new NoExample(
                "at byte " + at + " " + where + " has the field " + (tag >>> 3) + " of wire type " + (tag & 7));
    }

    private TfExample inside() throws NoExample {
        long length = varint();
        if (length < 0 || length > end - at) {
            throw new NoExample("at byte " + at + " something claims " + Long.toUnsignedString(length)
                    + " bytes, but only " + (end - at) + " are left");
        }
        at += length;
        return new TfExample(bytes, at - length, at);
    }

    private MemorySegment delimited() throws NoExample {
        TfExample part = inside();
        return bytes.asSlice(part.at, part.end - part.at);
    }

    private int fixed() throws NoExample {
        if (end - at < Integer.BYTES) {
            throw new NoExample("at byte " + at + " a float is cut off");
        }
        at += Integer.BYTES;
        return bytes.get(INT, at - Integer.BYTES);
    }

    private long varint() throws NoExample {
        long value = 0;
        for (int read = 0; read < DEEP && at < end; read++) {
            byte next = bytes.get(ValueLayout.JAVA_BYTE, at++);
            if (read == DEEP - 1 && next != 1) {
                break; // beyond 64 bits, of which readers make different numbers
            }
            value |= (long) (next & 0x7F) << (7 * read);
            if (next >= 0) {
                return value;
            }
        }
        throw new NoExample("at byte " + at + " a number is cut off or too long");
    }

    private static final class Numbers {
        private long[] numbers = new long[4];
        private int count;

        void add(long number) {
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * count);
            }
            numbers[count++] = number;
        }

        long[] all() {
            return Arrays.copyOf(numbers, count);
        }
    }
}
