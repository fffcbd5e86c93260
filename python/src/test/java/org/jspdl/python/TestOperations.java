package org.jspdl.python;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.SlabProvider;
import org.jspdl.memory.Tensor;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.OperationProvider;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.TypeToken;
import org.jspdl.source.Samplers;

/// Operations that the tests of the Python package put into plans. Item n is filled with bytes of n.
public final class TestOperations implements OperationProvider {
    private static final TypeToken<Long> NUMBER = TypeToken.of(Long.class);
    private static final Parameter<Integer> BYTES = Parameter.count("bytes", 1, 1 << 30);
    private static final Parameter<Boolean> RING = Parameter.flag("ring").orElse(true);
    private static final Parameter<Long> AT = Parameter.whole("at", 0, Long.MAX_VALUE);
    private static final Parameter<String> FOR = Parameter.text("for");

    private static final Parameter<Long> SIZE = Parameter.whole("size", 0, Long.MAX_VALUE);
    private static final Parameter<Long> SEED = Parameter.whole("seed", 0, Long.MAX_VALUE);
    private static final Parameter<Integer> RANK =
            Parameter.count("rank", 0, 99).orElse(0);
    private static final Parameter<Integer> WORLD_SIZE =
            Parameter.count("world-size", 1, 100).orElse(1);

    /// What `all-types` yields.
    record Everything(
            Map<String, Tensor> types,
            String plainText,
            List<String> texts,
            List<Long> numbers,
            Inner inner,
            Optional<String> nothing,
            float[] floats,
            boolean flag,
            double ratio) {}

    record Inner(int[] integers, List<Map<String, Object>> maps, boolean[] flags) {}

    @Override
    public List<Operation> operations() {
        return List.of(
                Operation.source(
                        "sampled",
                        NUMBER,
                        given -> Samplers.shuffled(given.get(SIZE), given.get(SEED))
                                .shard(given.get(RANK), given.get(WORLD_SIZE)),
                        SIZE,
                        SEED,
                        RANK,
                        WORLD_SIZE),
                Operation.function("filled", NUMBER, TypeToken.of(Filled.class), TestOperations::filled, BYTES, RING),
                Operation.function("ragged", NUMBER, TypeToken.of(Filled.class), given -> {
                    BufferPool pool = pool(given, true);
                    return n -> filled(n, 1 + n, pool);
                }),
                Operation.function("all-types", NUMBER, TypeToken.of(Everything.class), TestOperations::everything),
                Operation.function("pair", NUMBER, TypeToken.of(Map.class), given -> {
                    BufferPool pool = pool(given, true);
                    return n -> pair(n, pool);
                }),
                Operation.function("fail", NUMBER, NUMBER, given -> n -> fail(n, given.get(AT)), AT),
                Operation.function(
                        "wait",
                        NUMBER,
                        NUMBER,
                        given -> n -> {
                            Files.readAllBytes(given.path(FOR)); // a pipe, until somebody writes to it
                            return n;
                        },
                        FOR),
                Operation.function("thread", NUMBER, TypeToken.of(Thread.class), given -> n -> Thread.currentThread()),
                Operation.function("chatter", NUMBER, NUMBER, given -> n -> {
                    System.out.println("a library that prints");
                    return n;
                }));
    }

    /// `data` has as many bytes as were asked for, and `number` says what they are.
    record Filled(Tensor data, long number) implements AutoCloseable {
        @Override
        public void close() {
            data.close();
        }
    }

    private static BufferPool pool(Arguments given, boolean ring) {
        SlabProvider memory = ring ? given.offered(SlabProvider.class).orElseThrow() : SlabProvider.nativeMemory();
        return given.keep(BufferPool.unbounded("test", memory));
    }

    private static org.jspdl.pipeline.StageFunction<Long, Filled> filled(Arguments given) {
        BufferPool pool = pool(given, given.get(RING));
        int bytes = given.get(BYTES);
        return n -> filled(n, bytes, pool);
    }

    private static Filled filled(long number, long bytes, BufferPool pool) {
        Tensor data = Tensor.allocate(ElementType.UINT8, Shape.of(bytes), pool);
        data.segment().fill((byte) number);
        return new Filled(data, number);
    }

    private static org.jspdl.pipeline.StageFunction<Long, Everything> everything(Arguments given) {
        BufferPool pool = pool(given, true);
        return n -> {
            Map<String, Tensor> types = new LinkedHashMap<>();
            for (ElementType type : ElementType.values()) {
                Tensor tensor = Tensor.allocate(type, Shape.of(2, 3), pool);
                for (int i = 0; i < 6; i++) {
                    set(tensor, i);
                }
                types.put(type.name().toLowerCase(java.util.Locale.ROOT), tensor);
            }
            types.put("empty", Tensor.allocate(ElementType.FLOAT32, Shape.of(0, 4), pool));
            types.put("scalar", Tensor.allocate(ElementType.INT64, Shape.of(), pool));
            types.get("scalar").segment().set(ValueLayout.JAVA_LONG, 0, n);
            return new Everything(
                    types,
                    "grün \"\\\n\u0001 \uD83D\uDE00 " + n,
                    List.of("a", "", "ß"),
                    List.of(n, n + 1),
                    new Inner(new int[] {1, -2}, List.of(Map.of("k", 1.5), Map.of()), new boolean[] {true, false}),
                    Optional.empty(),
                    new float[] {0.5f, Float.NaN},
                    true,
                    Double.POSITIVE_INFINITY);
        };
    }

    /// Element i is i, in each type's own way.
    private static void set(Tensor tensor, int i) {
        MemorySegment bytes = tensor.segment();
        switch (tensor.type()) {
            case BOOL -> bytes.set(ValueLayout.JAVA_BYTE, i, (byte) (i & 1));
            case UINT8, INT8, FLOAT8_E4M3, FLOAT8_E5M2 -> bytes.set(ValueLayout.JAVA_BYTE, i, (byte) i);
            case INT16, UINT16 -> bytes.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) i);
            case FLOAT16 -> bytes.setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16(i));
            case BFLOAT16 -> bytes.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) (Float.floatToIntBits(i) >>> 16));
            case INT32, UINT32 -> bytes.setAtIndex(ValueLayout.JAVA_INT, i, i);
            case FLOAT32 -> bytes.setAtIndex(ValueLayout.JAVA_FLOAT, i, i);
            case INT64, UINT64 -> bytes.setAtIndex(ValueLayout.JAVA_LONG, i, i);
            case FLOAT64 -> bytes.setAtIndex(ValueLayout.JAVA_DOUBLE, i, i);
            case COMPLEX64 -> {
                bytes.setAtIndex(ValueLayout.JAVA_FLOAT, 2L * i, i);
                bytes.setAtIndex(ValueLayout.JAVA_FLOAT, 2L * i + 1, -i);
            }
            case COMPLEX128 -> {
                bytes.setAtIndex(ValueLayout.JAVA_DOUBLE, 2L * i, i);
                bytes.setAtIndex(ValueLayout.JAVA_DOUBLE, 2L * i + 1, -i);
            }
        }
    }

    /// Two tensors, each in memory of its own.
    private static Map<String, Object> pair(long n, BufferPool pool) {
        Map<String, Object> pair = new LinkedHashMap<>();
        pair.put("first", filled(n, 1000, pool).data());
        pair.put("second", filled(n + 1, 2000, pool).data());
        return pair;
    }

    private static long fail(long n, long at) {
        if (n == at) {
            throw new IllegalStateException("item " + n + " is broken");
        }
        return n;
    }
}
