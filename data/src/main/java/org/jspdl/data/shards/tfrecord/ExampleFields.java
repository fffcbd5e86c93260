package org.jspdl.data.shards.tfrecord;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Shape;

/// Gives the lists of a [TfExample] to a sample: one text as its bytes, which stay in the record; numbers as an array
/// of one dimension; several texts one behind the other, with a second field for the length of each.
record ExampleFields(List<TfExample.Feature> features) {
    private static final String LENGTHS = ".lengths";

    ExampleFields(List<TfExample.Feature> features, ShardOptions options) {
        this(features.stream()
                .filter(feature ->
                        options.wants(feature.name()) || options.columns().contains(feature.name() + LENGTHS))
                .toList());
    }

    /// The memory that they take beside the record.
    long byteSize() {
        return features.stream().mapToLong(ExampleFields::byteSize).sum();
    }

    private static long byteSize(TfExample.Feature feature) {
        if (!feature.isBytes()) {
            return (long) feature.numbers().length * feature.type().byteSize();
        }
        return feature.texts().size() == 1
                ? 0
                : feature.texts().stream()
                        .mapToLong(text -> text.byteSize() + Long.BYTES)
                        .sum();
    }

    /// @param lease of [#byteSize] bytes, which the sample owns from here
    void put(ShardSample sample, Lease lease) {
        sample.owning(lease);
        long at = 0;
        for (TfExample.Feature feature : features) {
            long size = byteSize(feature);
            MemorySegment target = lease.segment().asSlice(at, size);
            at += size;
            if (!feature.isBytes()) {
                numbers(feature, target);
                sample.with(feature.name(), feature.type(), Shape.of(feature.numbers().length), target);
            } else if (feature.texts().size() == 1) {
                sample.with(feature.name(), feature.texts().getFirst());
            } else {
                texts(sample, feature, target);
            }
        }
    }

    private static void numbers(TfExample.Feature feature, MemorySegment target) {
        long[] numbers = feature.numbers();
        for (int i = 0; i < numbers.length; i++) {
            if (feature.type() == ElementType.FLOAT32) {
                target.set(ValueLayout.JAVA_INT_UNALIGNED, (long) i * Integer.BYTES, (int) numbers[i]);
            } else {
                target.set(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * Long.BYTES, numbers[i]);
            }
        }
    }

    private static void texts(ShardSample sample, TfExample.Feature feature, MemorySegment target) {
        int count = feature.texts().size();
        long bytes = target.byteSize() - (long) count * Long.BYTES;
        MemorySegment lengths = target.asSlice(bytes);
        long at = 0;
        for (int i = 0; i < count; i++) {
            MemorySegment text = feature.texts().get(i);
            MemorySegment.copy(text, 0, target, at, text.byteSize());
            at += text.byteSize();
            lengths.set(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * Long.BYTES, text.byteSize());
        }
        sample.with(feature.name(), target.asSlice(0, bytes));
        sample.with(feature.name() + LENGTHS, ElementType.INT64, Shape.of(count), lengths);
    }
}
