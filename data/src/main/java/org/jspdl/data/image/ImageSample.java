package org.jspdl.data.image;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.random.RandomGenerator;
import org.jspdl.data.rows.BatchRow;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.storage.FailureReasons;
import org.jspdl.input.DecodeException;
import org.jspdl.input.InputException;
import org.jspdl.input.ReadException;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.ImageTransform;
import org.jspdl.memory.Lease;
import org.jspdl.memory.PoolExhaustedException;
import org.jspdl.memory.Tensor;
import org.jspecify.annotations.Nullable;

/// One image on its way to a batch: first its number and class, then the row that it is decoded into, then the bytes of
/// its file.
///
/// Owned by one stage at a time. Closing releases whatever it still holds.
public abstract class ImageSample implements AutoCloseable {
    private final int index;
    private final int label;
    private final long epoch;
    private final boolean last;
    private final int everywhere;
    private @Nullable BatchRow row;
    private @Nullable ImageSteps steps;
    private @Nullable MemorySegment encoded;
    private @Nullable Lease lease;
    private @Nullable InputException unreadable;
    private long encodedBytes;
    private @Nullable ImageTransform transform;
    private boolean decodedElsewhere;

    /// @param epoch      the epoch it belongs to
    /// @param last       whether it is the last of its epoch on this rank
    /// @param everywhere 1 if all ranks surely have an image at this place of their shares, 0 if not, -1 if ranks
    ///     match
    ImageSample(int index, int label, long epoch, boolean last, int everywhere) {
        this.index = index;
        this.label = label;
        this.epoch = epoch;
        this.last = last;
        this.everywhere = everywhere;
    }

    /// What it is called in messages.
    public abstract String name();

    /// The file or shard that it is read from.
    abstract String file();

    /// Reads the file, and has [#holds] called with its bytes.
    abstract void open() throws IOException;

    /// The number of the image in the dataset; of a shard, its position in the epoch.
    public final int index() {
        return index;
    }

    /// The number of its class; -1 if a shard has none.
    public final int label() {
        return label;
    }

    /// What it was made from, once it is decoded.
    final ImageOrigin origin() {
        return new ImageOrigin(name(), file(), index, epoch, encodedBytes, Optional.ofNullable(transform), range());
    }

    /// Where it lies in its shard, if that is known.
    Optional<ShardSample.Extent> range() {
        return Optional.empty();
    }

    /// The fields of an image that was decoded: `image`, a view of its row, and the numbers of its class and of
    /// itself.
    public final SequencedMap<String, Object> fields() {
        ImageSpec spec = steps().decoder().spec();
        SequencedMap<String, Object> fields = new LinkedHashMap<>();
        fields.put("image", Tensor.over(spec.elements(), spec.rowShape(), Lease.adopt(pixels(), () -> {})));
        fields.put("label", (long) label);
        fields.put("index", (long) index);
        if (everywhere >= 0) {
            fields.put("everywhere", (long) everywhere);
        }
        return fields;
    }

    /// The row of an image that was decoded, as long as it is open.
    public final MemorySegment pixels() {
        return row().segment();
    }

    final long epoch() {
        return epoch;
    }

    final boolean last() {
        return last;
    }

    final int everywhere() {
        return everywhere;
    }

    final BatchRow row() {
        BatchRow allocated = row;
        if (allocated == null) {
            throw withoutRow();
        }
        return allocated;
    }

    final ImageSteps steps() {
        ImageSteps by = steps;
        if (by == null) {
            throw withoutRow();
        }
        return by;
    }

    /// Takes over the row that the image is decoded into, by the steps that it came from.
    final ImageSample allocated(BatchRow newRow, ImageSteps newSteps) {
        row = newRow;
        steps = newSteps;
        return this;
    }

    /// Looks at what the image is to become before it gets a row.
    ///
    /// @throws IllegalStateException if it can't
    void expect(ImageSpec spec) {}

    /// Looks at the name of the stage that decodes it, which what is left to chance depends on.
    ///
    /// @throws IllegalStateException if the image was decoded by another
    public void expect(String stage) {}

    /// Takes over pixels that are the image as bytes; [#releaseOrigin] releases them.
    final void holdsDecoded(MemorySegment pixels) {
        encoded = pixels;
        decodedElsewhere = true;
    }

    /// Takes over the bytes of the file.
    final void holds(Lease bytes) {
        lease = bytes;
        holds(bytes.segment());
    }

    /// The same for bytes that [#releaseOrigin] releases.
    final void holds(MemorySegment bytes) {
        encoded = bytes;
        encodedBytes = bytes.byteSize();
    }

    /// Releases what the image was made from, if it is still there.
    void releaseOrigin() {}

    /// Reads the file. A failure is kept for [#decode], so that all failures of a file count in one stage.
    public final ImageSample read() {
        try {
            open();
        } catch (InputException failure) {
            unreadable = failure;
        } catch (IOException | PoolExhaustedException failure) {
            unreadable = ReadException.of(name(), FailureReasons.of(failure), failure);
        }
        return this;
    }

    /// Decodes the bytes into the row, and releases them.
    public final ImageSample decode() {
        return decode((decoder, bytes, target) -> decoder.decodeInto(bytes, target));
    }

    /// The same, with what is left to chance sampled from `random`.
    public final ImageSample decode(RandomGenerator random) {
        return decode((decoder, bytes, target) -> transform = decoder.decodeInto(bytes, target, random));
    }

    private IllegalStateException withoutRow() {
        return new IllegalStateException(
                this + " has no row of a batch: a step allocate-batch comes before those that decode and stack");
    }

    private interface Decoding {
        void into(ImageDecoder decoder, MemorySegment bytes, MemorySegment target);
    }

    private ImageSample decode(Decoding decoding) {
        if (unreadable != null) {
            throw unreadable;
        }
        MemorySegment bytes = encoded;
        if (bytes == null) {
            throw new IllegalStateException(this + " has not been read: a step read-image comes before decode-image");
        }
        try {
            if (decodedElsewhere) {
                steps().decoder().convertInto(bytes, row().segment());
            } else {
                steps().checkServable(this, bytes);
                decoding.into(steps().decoder(), bytes, row().segment());
            }
        } catch (DecodeException damaged) {
            throw damaged.withSource(name());
        }
        releaseEncoded();
        return this;
    }

    private void releaseEncoded() {
        encoded = null;
        if (lease != null) {
            lease.close();
            lease = null;
        }
        releaseOrigin();
    }

    @Override
    public final void close() {
        releaseEncoded();
        if (row != null) {
            row.close();
        }
    }

    @Override
    public final String toString() {
        return name();
    }
}
