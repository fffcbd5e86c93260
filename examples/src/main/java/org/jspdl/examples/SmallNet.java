package org.jspdl.examples;

import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.BatchNorm;
import ai.djl.nn.pooling.Pool;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.Trainer;
import ai.djl.training.evaluator.Accuracy;
import ai.djl.training.listener.TrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;

/// A network of three convolutions for small color pictures, and DJL's trainer for it. Closed after the training.
public final class SmallNet implements AutoCloseable {
    private static final float LEARNING_RATE = 0.003f;
    private static final int SEED = 1;

    private final Model model;
    private final Trainer trainer;

    private SmallNet(Model model, Trainer trainer) {
        this.model = model;
        this.trainer = trainer;
    }

    /// A network with random weights, the same each time, for pictures of `size` x `size` pixels.
    public static SmallNet create(int size, int classes) {
        Engine.getEngine("PyTorch").setRandomSeed(SEED);
        Model model = Model.newInstance("small", "PyTorch");
        model.setBlock(new SequentialBlock()
                .add(convolution(16))
                .add(convolution(32))
                .add(convolution(64))
                .add(Pool.globalAvgPool2dBlock())
                .add(Linear.builder().setUnits(classes).build()));
        Trainer trainer = model.newTrainer(new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
                .addEvaluator(new Accuracy())
                .addTrainingListeners(TrainingListener.Defaults.basic())
                .optOptimizer(Optimizer.adam()
                        .optLearningRateTracker(Tracker.fixed(LEARNING_RATE))
                        .build()));
        trainer.initialize(new Shape(1, 3, size, size));
        return new SmallNet(model, trainer);
    }

    private static Block convolution(int filters) {
        return new SequentialBlock()
                .add(Conv2d.builder()
                        .setKernelShape(new Shape(3, 3))
                        .optStride(new Shape(2, 2))
                        .optPadding(new Shape(1, 1))
                        .setFilters(filters)
                        .build())
                .add(BatchNorm.builder().build())
                .add(Activation::relu);
    }

    /// DJL's trainer of the network.
    public Trainer trainer() {
        return trainer;
    }

    @Override
    public void close() {
        trainer.close();
        model.close();
    }
}
