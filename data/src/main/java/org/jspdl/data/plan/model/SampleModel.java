package org.jspdl.data.plan.model;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.array.ArrayView;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.plan.model.Model;
import org.jspdl.plan.model.ModelRuntime;
import org.jspdl.plan.model.ModelValue;
import org.jspdl.providers.Providers;

/// A model that makes fields of a sample of fields of the same sample, alone: never of several samples at once, so that
/// what becomes of one does not depend on its neighbors. Any number of threads may use it at once.
public final class SampleModel implements AutoCloseable {
    private static final long MOST_BYTES = Integer.MAX_VALUE;

    private final Model model;
    private final ModelFields fields;
    private final String content;
    private final BufferPool pool;
    private final ReentrantLock trying = new ReentrantLock();
    private volatile boolean tried;
    private volatile String refused = "";

    private SampleModel(Model model, ModelFields fields, String content, BufferPool pool) {
        this.model = model;
        this.fields = fields;
        this.content = content;
        this.pool = pool;
    }

    /// Opens the model in `file`.
    ///
    /// @param from fields by what the model calls its inputs; a field alone, under an empty name, for its only one
    /// @param to   fields by what it calls its outputs, likewise
    /// @param pool what is made comes from it; stays the caller's
    /// @throws IOException if there is none, nothing that is installed runs it, or it takes or gives something
    ///     else; the message says what
    public static SampleModel open(
            Storage storage, Location file, Map<String, String> from, Map<String, String> to, BufferPool pool)
            throws IOException {
        ModelRuntime runtime = runtime(file);
        try (StoredObject object = storage.object(file);
                Lease content = object.readAll(pool, MOST_BYTES)) {
            Model model = runtime.open(file.toString(), content.segment());
            try {
                return new SampleModel(
                        model, ModelFields.of(file.toString(), model, from, to), hash(content.segment()), pool);
            } catch (Throwable failure) {
                model.close();
                throw failure;
            }
        }
    }

    private static ModelRuntime runtime(Location file) throws IOException {
        List<String> known = new ArrayList<>();
        for (ModelRuntime each : Providers.of(ModelRuntime.class, ServiceLoader.load(ModelRuntime.class))) {
            if (file.endsWith(each.endings().toArray(String[]::new))) {
                return each;
            }
            known.addAll(each.endings());
        }
        throw new IOException("nothing that is installed runs the model " + file
                + (known.isEmpty()
                        ? ": for ONNX models add the jars of org.jspdl:jspdl-onnx and"
                                + " com.microsoft.onnxruntime:onnxruntime to the class path (JSPDL_CLASSPATH for the"
                                + " command, --jars on Spark)"
                        : ", only models whose files end with " + String.join(", ", known)));
    }

    private static String hash(MemorySegment content) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(content.asByteBuffer());
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java has SHA-256", missing);
        }
    }

    /// All that its outputs depend on beside its inputs, for [org.jspdl.plan.record.RunNotes#reads].
    public String identity() {
        return "a model of SHA-256 " + content + " by " + model.identity();
    }

    /// A field of a sample.
    @FunctionalInterface
    public interface Fields {
        /// The value of a field: a [Tensor], an [ArrayView] or a number.
        Object value(String field) throws IOException;
    }

    /// Takes what was made.
    @FunctionalInterface
    public interface Taker {
        /// Takes a field of the sample, whose memory is the taker's from here on.
        void take(String field, Tensor made);
    }

    /// Makes the fields of one sample.
    ///
    /// @param sample what messages call it
    /// @throws IOException if the model fails, or does not take what the fields hold, or gives something else for
    ///     equal inputs; the message says which and why
    public void run(String sample, Fields of, Taker taker) throws IOException {
        List<Tensor> copies = new ArrayList<>();
        Map<String, Tensor> made = new LinkedHashMap<>();
        try {
            ModelFields.Given given = fields.given(sample, input -> value(of.value(input), copies));
            requireSame(sample, given);
            run(sample, given, made);
        } catch (Throwable failure) {
            made.values().forEach(Tensor::close);
            throw failure;
        } finally {
            copies.forEach(Tensor::close);
        }
        made.forEach(taker::take);
    }

    private void run(String sample, ModelFields.Given given, Map<String, Tensor> made) throws IOException {
        model.run(given.inputs(), fields.outputs(), (output, value) -> {
            Shape shape = fields.shape(sample, output, value.shape(), given.isBatch());
            Tensor tensor = Tensor.allocate(value.type(), shape, pool);
            made.put(fields.field(output), tensor);
            tensor.segment().copyFrom(value.elements());
        });
    }

    /// The first sample is run twice: of a model that leaves something to chance no run makes the same again.
    private void requireSame(String sample, ModelFields.Given given) throws IOException {
        if (!tried) {
            trying.lock();
            try {
                if (!tried) {
                    Map<String, Tensor> one = new LinkedHashMap<>();
                    Map<String, Tensor> two = new LinkedHashMap<>();
                    try {
                        run(sample, given, one);
                        run(sample, given, two);
                        one.forEach((field, tensor) -> {
                            Tensor again = Objects.requireNonNull(two.get(field));
                            if (tensor.segment().mismatch(again.segment()) >= 0) {
                                refused = field;
                            }
                        });
                    } finally {
                        one.values().forEach(Tensor::close);
                        two.values().forEach(Tensor::close);
                    }
                    tried = true;
                }
            } finally {
                trying.unlock();
            }
        }
        if (!refused.isEmpty()) {
            throw new IOException(sample + ": " + fields.shown() + " gives another '" + refused
                    + "' for the same input each time: export it for inference, without operators that leave something"
                    + " to chance");
        }
    }

    private ModelValue value(Object value, List<Tensor> copies) throws IOException {
        return switch (value) {
            case Tensor tensor
            when tensor.segment().isNative() -> new ModelValue(tensor.type(), tensor.shape(), tensor.segment());
            case Tensor tensor -> copied(ArrayView.of(tensor), copies);
            case ArrayView array -> copied(array, copies);
            case Long number -> {
                Tensor scalar = scalar(ElementType.INT64, copies);
                scalar.segment().set(JAVA_LONG, 0, number);
                yield new ModelValue(scalar.type(), scalar.shape(), scalar.segment());
            }
            default -> throw new IOException("holds " + value.getClass().getSimpleName() + ", which is no tensor");
        };
    }

    private ModelValue copied(ArrayView array, List<Tensor> copies) {
        Tensor copy = array.toTensor(pool);
        copies.add(copy);
        return new ModelValue(copy.type(), copy.shape(), copy.segment());
    }

    private Tensor scalar(ElementType type, List<Tensor> copies) {
        Tensor scalar = Tensor.allocate(type, Shape.of(), pool);
        copies.add(scalar);
        return scalar;
    }

    @Override
    public void close() {
        model.close();
    }

    @Override
    public String toString() {
        return fields.shown();
    }
}
