package org.jspdl.benchmarks;

import java.util.List;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.SlabProvider;
import org.jspdl.memory.Tensor;
import org.jspdl.plan.Operation;
import org.jspdl.plan.OperationProvider;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.TypeToken;

/// `filled-tensor`: what does handing a batch over cost, if making it is no more than writing it once?
public final class FilledTensors implements OperationProvider {
    private static final Parameter<Integer> BYTES = Parameter.count("bytes", 1, 1 << 30);

    /// For `ServiceLoader`.
    public FilledTensors() {}

    @Override
    public List<Operation> operations() {
        return List.of(Operation.function(
                "filled-tensor",
                TypeToken.of(Long.class),
                TypeToken.of(Tensor.class),
                given -> {
                    SlabProvider memory = given.offered(SlabProvider.class).orElse(SlabProvider.nativeMemory());
                    BufferPool pool = given.keep(BufferPool.unbounded("filled", memory));
                    Shape shape = Shape.of(given.get(BYTES));
                    return number -> {
                        Tensor tensor = Tensor.allocate(ElementType.UINT8, shape, pool);
                        tensor.segment().fill(number.byteValue());
                        return tensor;
                    };
                },
                BYTES));
    }
}
