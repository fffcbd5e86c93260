package org.jspdl.data.plan;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspdl.array.Npy;
import org.jspdl.array.Npz;
import org.jspdl.data.plan.value.FieldLoading;
import org.jspdl.data.plan.value.PlanSample;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.Parameter;

/// `load-array`: an NPY file becomes a tensor; an NPZ file one field for each of its arrays.
final class LoadArray {
    private static final Parameter<List<String>> FROM = FieldLoading.from("file", "npy", "npz", "array");
    private static final Parameter<String> TO = FieldLoading.to("array");
    private static final int ZIP = 'P' | 'K' << 8;

    private LoadArray() {}

    static Operation operation() {
        return Operation.function(
                "load-array",
                SampleOperations.SAMPLE,
                SampleOperations.SAMPLE,
                given -> make(given).withoutChance(),
                FROM,
                TO);
    }

    private static FieldLoading make(Arguments given) {
        BufferPool pool = given.keep(BufferPool.unbounded("arrays"));
        String to = given.get(TO);
        return new FieldLoading(
                given.get(FROM),
                to,
                (encoded, sample, _) -> encoded.read(pool, bytes -> load(bytes, sample, to, pool)));
    }

    private static Tensor load(MemorySegment bytes, PlanSample sample, String to, BufferPool pool) {
        boolean zip = bytes.byteSize() > 1 && bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0) == ZIP;
        return zip ? loadAll(bytes, sample, to, pool) : Npy.view(bytes).toTensor(pool);
    }

    /// Adds all arrays but the one that is called `to`, or the last, which is returned.
    private static Tensor loadAll(MemorySegment bytes, PlanSample sample, String to, BufferPool pool) {
        try (Npz archive = Npz.over(bytes)) {
            for (String name : archive.names()) {
                if (!name.equals(to)) {
                    Tensor tensor = archive.load(name, pool);
                    sample.owning(tensor).adding("the array", name, tensor);
                }
            }
            return archive.load(to, pool);
        }
    }
}
