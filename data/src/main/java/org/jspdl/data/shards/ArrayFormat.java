package org.jspdl.data.shards;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.array.Npz;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Tensor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;

/// NPY and NPZ files: each row of the outermost dimension is a sample. The arrays of an NPZ are its fields, and have
/// equally many rows; that of an NPY is called `array`.
///
/// The file is read as a whole when it is opened, with the checksums of an NPZ verified, and rows are copied from it.
final class ArrayFormat implements ShardFormat {
    static final String FIELD = "array";

    @Override
    public String name() {
        return "NPY and NPZ";
    }

    @Override
    public boolean reads(Location location) {
        return location.endsWith(".npy", ".npz");
    }

    @Override
    public Source<ShardSample> open(ShardFile file) {
        return new ShardSource(file, Source.Resume.SEEK, Rows::open, _ -> OptionalLong.empty());
    }

    @Override
    public ShardSummary inspect(ShardFile file) throws IOException {
        try (Rows rows = Rows.open(file, Position.START)) {
            return new ShardSummary(
                    name(),
                    rows.count,
                    rows.arrays.values().stream().mapToLong(ArrayView::byteSize).sum(),
                    rows.arrays.entrySet().stream()
                            .map(array -> new ShardSummary.FieldSummary(
                                    array.getKey(),
                                    array.getValue().type() + " "
                                            + array.getValue().shape().row(),
                                    rows.count,
                                    array.getValue().byteSize()))
                            .toList());
        }
    }

    private static final class Rows extends ShardCursor {
        private final Lease content;
        private final Map<String, ArrayView> arrays = new LinkedHashMap<>();
        private final Map<String, Tensor> copies = new LinkedHashMap<>();
        private long count = -1;
        private long decompressed;
        private long next;

        private Rows(ShardFile file, Lease content, long index) {
            super(file, index);
            this.content = content;
            this.next = index;
        }

        static Rows open(ShardFile file, Position from) throws IOException {
            Lease content;
            try (StoredObject object = file.object()) {
                content = object.readAll(file.pool(), Long.MAX_VALUE);
            }
            Rows rows = new Rows(file, content, from.index());
            try {
                rows.find();
                return rows;
            } catch (FormatException broken) {
                rows.close();
                throw broken.withSource(file.shown());
            } catch (Throwable failure) {
                rows.close();
                throw failure;
            }
        }

        private void find() {
            if (file().location().endsWith(".npy")) {
                add(FIELD, Npy.view(content.segment()));
            } else {
                findAll();
            }
            if (count > 0 && arrays.values().stream().allMatch(array -> array.byteSize() == 0)) {
                throw FormatException.because("the arrays claim " + count + " rows, and hold no byte");
            }
        }

        private void findAll() {
            Npz npz = Npz.over(content.segment());
            for (String name : npz.names()) {
                if (file().options().wants(name)) {
                    add(name, npz.isStored(name) ? verified(npz, name) : ArrayView.of(loaded(npz, name)));
                }
            }
        }

        private static ArrayView verified(Npz npz, String name) {
            npz.verify(name);
            return npz.view(name);
        }

        private Tensor loaded(Npz npz, String name) {
            decompressed = file().options().within(decompressed, npz.bytesNeeded(name), "what the NPZ decompresses to");
            Tensor copy = npz.load(name, file().pool());
            copies.put(name, copy);
            return copy;
        }

        private void add(String name, ArrayView array) {
            if (array.shape().rank() == 0) {
                throw FormatException.because("the array '" + name + "' is a scalar, which has no rows");
            }
            long rows = array.shape().extent(0);
            if (count >= 0 && rows != count) {
                throw FormatException.because(
                        "the array '" + name + "' has " + rows + " rows, those before it " + count);
            }
            count = rows;
            boolean scattered = array.memoryOrder() == org.jspdl.array.MemoryOrder.COLUMN_MAJOR;
            if (scattered) {
                Tensor copy = array.toTensor(file().pool());
                copies.put(name + " row-major", copy);
                arrays.put(name, ArrayView.of(copy));
            } else {
                arrays.put(name, array);
            }
        }

        @Override
        protected Optional<ShardSample> read(long number) {
            if (next >= count) {
                return Optional.empty();
            }
            ShardSample sample = sample(number);
            try {
                for (Map.Entry<String, ArrayView> array : arrays.entrySet()) {
                    ArrayView row = array.getValue().row(next);
                    Lease lease = lease(row.byteSize());
                    row.copyTo(lease.segment());
                    sample.with(array.getKey(), row.type(), row.shape(), lease);
                }
            } catch (Throwable failure) {
                sample.close();
                throw failure;
            }
            next++;
            return Optional.of(sample);
        }

        @Override
        protected String state() {
            return "";
        }

        @Override
        public void close() {
            copies.values().forEach(Tensor::close);
            content.close();
        }
    }
}
