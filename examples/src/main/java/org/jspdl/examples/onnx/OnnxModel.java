package org.jspdl.examples.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.onnx.OnnxEnvironment;
import org.jspdl.onnx.OnnxException;
import org.jspdl.onnx.OnnxView;

/// A model in ONNX Runtime that takes and gives our tensors.
///
/// Inputs are read where they lie. An output whose extents are known before the run, because the model declares them
/// or names them as those of an input, is written by ONNX Runtime straight into memory of the pool; for any other,
/// ONNX Runtime allocates, and the result is copied.
///
/// Any number of threads may run it at once. As a stage: `.pipe("classify", model::infer, cpu(1))`, where the session
/// may use several threads for one batch; or many batches at once on one thread each. Closed by its owner after the
/// last run, and before the pool.
///
/// ```java
/// try (OnnxModel model = OnnxModel.open(Path.of("model.onnx"), 2, pool);
///         OnnxOutputs outputs = model.run(Map.of("images", batch))) {
///     Tensor scores = outputs.tensor("scores");
/// }
/// ```
public final class OnnxModel implements AutoCloseable {
    private final OrtSession session;
    private final ModelSpecs specs;
    private final BufferPool pool;

    private OnnxModel(OrtSession session, ModelSpecs specs, BufferPool pool) {
        this.session = session;
        this.specs = specs;
        this.pool = pool;
    }

    /// The model in `file`, on the processor, computed by `threads` threads for each run; its outputs lie in memory
    /// of `pool`, which stays the caller's.
    ///
    /// @throws OnnxException if ONNX Runtime can't load it
    public static OnnxModel open(Path file, int threads, BufferPool pool) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be at least 1 but was " + threads);
        }
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException("there is no readable model at " + file);
        }
        try (SessionOptions options = new SessionOptions()) {
            options.setIntraOpNumThreads(threads);
            OrtSession session = OnnxEnvironment.get().createSession(file.toString(), options);
            try {
                return new OnnxModel(session, ModelSpecs.of(file.getFileName().toString(), session), pool);
            } catch (Throwable failure) {
                session.close();
                throw failure;
            }
        } catch (OrtException refused) {
            throw new OnnxException("ONNX Runtime cannot load " + file + ": " + refused.getMessage(), refused);
        }
    }

    /// What the model takes, in its order.
    public List<TensorSpec> inputs() {
        return List.copyOf(specs.inputs().values());
    }

    /// What the model gives that are tensors of numbers, in its order.
    public List<TensorSpec> outputs() {
        return List.copyOf(specs.outputs().values());
    }

    /// Runs the model for all outputs. The inputs stay the caller's, who also owns the result.
    ///
    /// @param inputs by their names; neither more nor fewer than the model takes
    /// @throws IllegalArgumentException if the model takes no such inputs, saying which and why
    /// @throws org.jspdl.memory.PoolExhaustedException if the pool has no room for the outputs
    /// @throws OnnxException if the model fails
    public OnnxOutputs run(Map<String, Tensor> inputs) {
        Set<String> all = new LinkedHashSet<>(specs.outputs().keySet());
        session.getOutputNames().forEach(all::add); // those that are no tensors are refused by name
        return run(inputs, all);
    }

    /// Runs the model for some outputs only; else as [#run(Map)].
    public OnnxOutputs run(Map<String, Tensor> inputs, Collection<String> outputs) {
        DimensionBindings bindings = bind(inputs);
        SequencedMap<String, TensorSpec> wanted = new LinkedHashMap<>();
        outputs.forEach(name -> wanted.put(name, specs.output(name)));
        List<OnnxView> views = new ArrayList<>();
        SequencedMap<String, Tensor> results = new LinkedHashMap<>();
        try {
            run(inputs, wanted, bindings, views, results);
        } catch (Throwable failure) {
            results.values().forEach(Tensor::close);
            throw failure;
        } finally {
            views.forEach(OnnxView::close);
        }
        return new OnnxOutputs(results);
    }

    private DimensionBindings bind(Map<String, Tensor> inputs) {
        DimensionBindings bindings = new DimensionBindings(specs.model());
        inputs.keySet().forEach(specs::input);
        for (TensorSpec spec : specs.inputs().values()) {
            Tensor tensor = inputs.get(spec.name());
            if (tensor == null) {
                throw new IllegalArgumentException(
                        specs.model() + " also takes " + spec + " but was given only " + inputs.keySet());
            }
            bindings.add(spec, tensor);
        }
        return bindings;
    }

    private void run(
            Map<String, Tensor> inputs,
            SequencedMap<String, TensorSpec> wanted,
            DimensionBindings bindings,
            List<OnnxView> views,
            SequencedMap<String, Tensor> results) {
        Map<String, OnnxTensor> given = new LinkedHashMap<>();
        inputs.forEach((name, tensor) -> given.put(name, view(tensor, views)));
        Map<String, OnnxTensor> places = new LinkedHashMap<>();
        Set<String> unplaced = new LinkedHashSet<>();
        wanted.forEach((name, spec) -> {
            Optional<Shape> shape = bindings.shape(spec);
            if (shape.isPresent()) {
                Tensor tensor = Tensor.allocate(spec.type(), shape.get(), pool);
                results.put(name, tensor);
                places.put(name, view(tensor, views));
            } else {
                unplaced.add(name);
            }
        });
        try (OrtSession.Result ran = session.run(given, unplaced, places)) {
            for (String name : wanted.sequencedKeySet()) {
                if (unplaced.contains(name)) {
                    results.put(name, OnnxView.copyOf((OnnxTensor) ran.get(name).orElseThrow(), pool));
                } else {
                    results.putLast(name, results.get(name));
                }
            }
        } catch (OrtException failed) {
            throw new OnnxException(
                    specs.model() + " failed with inputs " + inputs + ": " + failed.getMessage(), failed);
        }
    }

    private static OnnxTensor view(Tensor tensor, List<OnnxView> views) {
        OnnxView view = OnnxView.of(tensor);
        views.add(view);
        return view.onnx();
    }

    /// The only output for the only input: a stage's function. The input is used up; the result is the caller's.
    ///
    /// @throws IllegalArgumentException if the model has several inputs or outputs, or does not take this one
    /// @throws org.jspdl.memory.PoolExhaustedException if the pool has no room for the output
    /// @throws OnnxException if the model fails
    public Tensor infer(Tensor input) {
        try (input) {
            if (specs.inputs().size() != 1 || session.getNumOutputs() != 1) {
                throw new IllegalArgumentException(specs.model() + " takes " + inputs() + " and gives "
                        + session.getOutputNames() + "; use run(..) with names");
            }
            try (OnnxOutputs outputs = run(Map.of(specs.inputs().firstEntry().getKey(), input))) {
                return outputs.take(outputs.namedValues().firstEntry().getKey());
            }
        }
    }

    @Override
    public void close() {
        try {
            session.close();
        } catch (OrtException failed) {
            throw new OnnxException("ONNX Runtime cannot close " + specs.model(), failed);
        }
    }

    @Override
    public String toString() {
        return specs.model() + " " + inputs() + " -> " + outputs();
    }
}
