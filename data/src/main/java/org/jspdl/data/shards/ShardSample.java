package org.jspdl.data.shards;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Shape;
import org.jspecify.annotations.Nullable;

/// One sample of a shard: named fields of bytes, in leases that it owns until it is closed.
///
/// In a WebDataset the fields are called as the files of the sample end, in lower case: `jpg`, `cls`, `seg.png`. In
/// Parquet and NPZ they are columns and arrays. Handed from owner to owner; used by one thread at a time.
public final class ShardSample implements AutoCloseable {
    private final String shard;
    private final long index;
    private final @Nullable String key;
    private final SampleFields fields = new SampleFields();
    private final List<Lease> leases = new ArrayList<>(1);
    private @Nullable Extent extent;

    /// A range of bytes of a shard.
    ///
    /// @param begin its first byte, counted from 0
    /// @param end   the one behind its last; `begin` if it is empty
    public record Extent(long begin, long end) {
        /// @throws IllegalArgumentException if it begins before the shard or ends before it begins
        public Extent {
            if (begin < 0 || end < begin) {
                throw new IllegalArgumentException("bytes " + begin + "-" + end + " are no range of a shard");
            }
        }

        /// `begin-end`, as in messages.
        @Override
        public String toString() {
            return begin + "-" + end;
        }
    }

    /// A sample without fields.
    ///
    /// @param shard where it lies, for messages
    /// @param index its number in the shard
    /// @param key   what it is called there
    public ShardSample(String shard, long index, String key) {
        this.shard = shard;
        this.index = index;
        this.key = key;
    }

    /// A sample without fields and without a name, which is called by its number.
    ///
    /// @param shard where it lies, for messages
    /// @param index its number in the shard
    public ShardSample(String shard, long index) {
        this.shard = shard;
        this.index = index;
        this.key = null;
    }

    /// Adds a field over `lease`, which the sample owns from here.
    ///
    /// @throws IllegalArgumentException if there is one of this name; the lease then stays the caller's
    public ShardSample with(String name, Lease lease) {
        return put(name, new SampleFields.Field(lease.segment(), null, null), lease);
    }

    /// Adds a field that holds elements, over `lease`, which the sample owns from here.
    public ShardSample with(String name, ElementType type, Shape shape, Lease lease) {
        return put(name, new SampleFields.Field(lease.segment(), type, shape), lease);
    }

    /// Gives the sample a lease that several of its fields lie in.
    public ShardSample owning(Lease lease) {
        leases.add(lease);
        return this;
    }

    /// Adds a field over bytes of a lease that the sample owns already.
    public ShardSample with(String name, MemorySegment part) {
        return put(name, new SampleFields.Field(part, null, null), null);
    }

    /// Adds a field that holds elements, over bytes of a lease that the sample owns already.
    public ShardSample with(String name, ElementType type, Shape shape, MemorySegment part) {
        return put(name, new SampleFields.Field(part, type, shape), null);
    }

    private ShardSample put(String name, SampleFields.Field field, @Nullable Lease lease) {
        if (!fields.add(name, field)) {
            throw new IllegalArgumentException("sample '" + key() + "' of " + shard + " has two fields '" + name + "'");
        }
        if (lease != null) {
            leases.add(lease);
        }
        return this;
    }

    /// What it is called in its shard; its number where samples have no names.
    public String key() {
        return key == null ? Long.toString(index) : key;
    }

    /// Whether it has a name in its shard, as files of a tar give it, and no number alone.
    public boolean isNamed() {
        return key != null;
    }

    /// Where the shard lies.
    public String shard() {
        return shard;
    }

    /// Its number in the shard.
    public long index() {
        return index;
    }

    /// Says that it lies in its shard from byte `begin` to before `end`.
    public ShardSample lying(long begin, long end) {
        extent = new Extent(begin, end);
        return this;
    }

    /// Says that bytes `begin` to before `end` of the shard are those of a field, as they are.
    ///
    /// @throws FormatException if there is no such field
    public ShardSample lying(String name, long begin, long end) {
        if (!fields.lies(name, new Extent(begin, end))) {
            field(name); // says what there is instead
        }
        return this;
    }

    /// Where it lies in its shard, headers included. Of a tar: from the first header of its first file, extended
    /// headers included, to the last byte of its last file. Of JSON lines: its line, with the end of the line. Of
    /// TFRecord: the record with its length and checksums. Of MDS: the sizes and values.
    ///
    /// Empty where samples are not bytes one behind the other: in compressed shards, Parquet, Arrow, NPY and NPZ.
    public Optional<Extent> extent() {
        return Optional.ofNullable(extent);
    }

    /// The bytes of the shard that are those of a field, exactly, without headers. Empty where [#extent()] is, and
    /// where the field is not written in the shard as it is here: in JSON lines, in features of TFRecord, and for
    /// values of MDS that are converted.
    ///
    /// @throws FormatException if there is no such field
    public Optional<Extent> extent(String name) {
        field(name);
        return Optional.ofNullable(fields.extent(name));
    }

    /// The names of the fields, in the order of the shard: a view that can't be changed.
    public List<String> names() {
        return fields.names();
    }

    /// Whether there is a field of this name.
    public boolean has(String name) {
        return fields.find(name) != null;
    }

    /// The bytes of a field, valid until the sample is closed.
    ///
    /// @throws FormatException if there is no such field; the message names the sample and what it has
    public MemorySegment bytes(String name) {
        return field(name).bytes();
    }

    /// The first field that there is of `names`: for images that are `jpg` in one sample and `png` in another.
    ///
    /// @throws FormatException if there is none
    public MemorySegment firstOf(String... names) {
        for (String name : names) {
            if (has(name)) {
                return bytes(name);
            }
        }
        throw missing(String.join("' or '", names));
    }

    /// A field as text in UTF-8.
    ///
    /// @throws FormatException if there is no such field, it is not UTF-8, or it has elements of a type
    public String text(String name) {
        SampleFields.Field field = field(name);
        if (field.type() != null) {
            throw located("the field '" + name + "' is no text but " + field.type() + " " + field.shape());
        }
        byte[] bytes = field.bytes().toArray(ValueLayout.JAVA_BYTE);
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') >= 0 && !isUtf8(bytes)) { // written so, or put there for malformed bytes
            throw located("the field '" + name + "' is not UTF-8");
        }
        return text;
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException malformed) {
            return false;
        }
    }

    /// A field as a whole number: text, or one integer element.
    ///
    /// @throws FormatException if there is no such field, or it is no number
    public long number(String name) {
        SampleFields.Field field = field(name);
        if (field.type() != null) {
            return element(name, field.type(), field.bytes());
        }
        try {
            return Long.parseLong(text(name).strip());
        } catch (NumberFormatException noNumber) {
            throw located("the field '" + name + "' is no whole number");
        }
    }

    private long element(String name, ElementType type, MemorySegment bytes) {
        if (bytes.byteSize() != type.byteSize()) {
            throw located("the field '" + name + "' is no whole number but " + bytes.byteSize() / type.byteSize()
                    + " elements of " + type);
        }
        return switch (type) {
            case INT8 -> bytes.get(ValueLayout.JAVA_BYTE, 0);
            case UINT8, BOOL -> bytes.get(ValueLayout.JAVA_BYTE, 0) & 0xFF;
            case INT16 -> bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0);
            case UINT16 -> bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0) & 0xFFFF;
            case INT32 -> bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
            case UINT32 -> bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 0) & 0xFFFF_FFFFL;
            case INT64, UINT64 -> {
                long number = bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
                if (number < 0 && type == ElementType.UINT64) {
                    throw located("the field '" + name + "' is " + Long.toUnsignedString(number)
                            + ", more than a signed number of 64 bits holds");
                }
                yield number;
            }
            case FLOAT8_E4M3, FLOAT8_E5M2, FLOAT16, BFLOAT16, FLOAT32, FLOAT64, COMPLEX64, COMPLEX128 ->
                throw located("the field '" + name + "' is no whole number but " + type);
        };
    }

    /// What the elements of a field are, if the shard says so: Parquet and arrays do, a tar does not.
    ///
    /// @throws FormatException if there is no such field
    public Optional<ElementType> elementType(String name) {
        return Optional.ofNullable(field(name).type());
    }

    /// Whether the shard knows what elements a field consists of.
    ///
    /// @throws FormatException if there is no such field
    public boolean isArray(String name) {
        return field(name).type() != null;
    }

    /// A field as an array: an NPY file, or elements whose type the shard knows.
    ///
    /// @throws FormatException if there is no such field, or it is neither
    public ArrayView array(String name) {
        SampleFields.Field field = field(name);
        if (field.type() != null && field.shape() != null) {
            return ArrayView.of(field.type(), field.shape(), field.bytes());
        }
        try {
            return Npy.view(field.bytes());
        } catch (FormatException broken) {
            throw located("the field '" + name + "': " + broken.reason());
        }
    }

    private SampleFields.Field field(String name) {
        SampleFields.Field field = fields.find(name);
        if (field == null) {
            throw missing(name);
        }
        return field;
    }

    private FormatException missing(String name) {
        return located("there is no field '" + name + "', only " + fields.names());
    }

    private FormatException located(String reason) {
        return FormatException.because("sample " + index + " ('" + key() + "'): " + reason)
                .withSource(shard);
    }

    /// Gives the memory of all fields back; closing again is harmless.
    @Override
    public void close() {
        leases.forEach(Lease::close);
    }

    @Override
    public String toString() {
        return "ShardSample[" + key() + ", " + fields.names() + "]";
    }
}
