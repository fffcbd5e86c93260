package org.jspdl.device;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// A nested batch whose tensors are in the memory of a device; what is no tensor is there as it was.
///
/// Values are named by their paths: the components of a record, the keys of a map and the numbers in a list, joined by
/// dots, as in `boxes.0`. Closing the batch closes what is still open of it; a tensor may also be closed alone.
public final class DeviceBatch implements AutoCloseable {
    private final SequencedMap<String, Object> values;
    private final List<AutoCloseable> owners;

    DeviceBatch(SequencedMap<String, Object> values, List<AutoCloseable> owners) {
        this.values = Collections.unmodifiableSequencedMap(values);
        this.owners = owners;
    }

    /// The tensor at `path`; it belongs to this batch.
    ///
    /// @throws IllegalArgumentException if there is none, naming those there are
    public DeviceTensor tensor(String path) {
        if (values.get(path) instanceof DeviceTensor tensor) {
            return tensor;
        }
        throw new IllegalArgumentException(
                "the batch has no tensor '" + path + "' but " + tensors().keySet());
    }

    /// All tensors by their paths, in the order of the batch; a copy.
    public SequencedMap<String, DeviceTensor> tensors() {
        SequencedMap<String, DeviceTensor> tensors = new LinkedHashMap<>();
        for (Map.Entry<String, Object> value : values.entrySet()) {
            if (value.getValue() instanceof DeviceTensor tensor) {
                tensors.put(value.getKey(), tensor);
            }
        }
        return tensors;
    }

    /// All values by their paths, tensors included, in the order of the batch.
    public SequencedMap<String, Object> values() {
        return values;
    }

    /// Closes every tensor as [DeviceTensor#closeAfter] does, and everything else of the batch now.
    public void closeAfter(long stream) {
        tensors().values().forEach(tensor -> tensor.closeAfter(stream));
        close();
    }

    /// Closes everything of the batch that can be closed.
    @Override
    public void close() {
        if (!owners.isEmpty()) {
            tensors().values().forEach(DeviceTensor::awaitSource); // the owners close the tensors that are copied from
        }
        List<AutoCloseable> parts = new ArrayList<>();
        for (Object value : values.values()) {
            if (value instanceof AutoCloseable part) {
                parts.add(part);
            }
        }
        parts.addAll(owners);
        DeviceTransfer.forAll(parts, DeviceBatch::close);
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IllegalStateException("cannot close a part of the batch", failure);
        }
    }

    @Override
    public String toString() {
        return "DeviceBatch" + values;
    }
}
