package org.jspdl.djl;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.evaluator.Accuracy;
import ai.djl.training.listener.TrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspdl.data.dataset.Dataset;
import org.jspdl.data.loader.CacheLoader;
import org.jspdl.data.loader.Collation;
import org.jspdl.data.loader.DataLoader;
import org.jspdl.data.loader.RowBatch;
import org.jspdl.data.loader.TensorBatch;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoaderDatasetTest {
    /// Points of the plane; the class says on which side of a line they lie.
    record Points(long size) implements Dataset<Point> {
        @Override
        public Point get(long index) {
            SplittableRandom random = new SplittableRandom(index);
            float x = (float) random.nextDouble(-1, 1);
            float y = (float) random.nextDouble(-1, 1);
            return new Point(new float[] {x, y}, 2 * x > y ? 1 : 0);
        }
    }

    record Point(float[] place, long side) {}

    private final BufferPool pool = BufferPool.create("batches", 1 << 20);
    private final NDManager manager = NDManager.newBaseManager("PyTorch");

    @AfterEach
    void close() {
        manager.close();
        pool.close();
    }

    @Test
    void aTrainerOfDjlLearnsFromALoader() throws Exception {
        try (DataLoader<RowBatch<Point>> loader = rows(256);
                Model model = Model.newInstance("side", "PyTorch")) {
            // of one layer whose outputs share a softmax, the gradients may add up to exactly 0, which DJL
            // refuses
            manager.getEngine().setRandomSeed(1);
            model.setBlock(new SequentialBlock()
                    .add(Linear.builder().setUnits(8).build())
                    .add(Activation.reluBlock())
                    .add(Linear.builder().setUnits(2).build()));
            DefaultTrainingConfig config = new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
                    .addEvaluator(new Accuracy())
                    .addTrainingListeners(TrainingListener.Defaults.basic())
                    .optOptimizer(Optimizer.adam()
                            .optLearningRateTracker(Tracker.fixed(0.1f))
                            .build());
            try (Trainer trainer = model.newTrainer(config)) {
                trainer.initialize(new Shape(32, 2));
                var dataset = LoaderDataset.ofRows(loader, Point::side);

                EasyTrain.fit(trainer, 12, dataset, dataset);

                assertThat(trainer.getTrainingResult().getValidateEvaluation("Accuracy"))
                        .isGreaterThan(0.9f);
            }
        }
    }

    @Test
    void aBatchOfDjlIsTheMemoryOfTheLoadersAndGivesItBack() throws Exception {
        try (DataLoader<TensorBatch> loader = fields(10)) {
            List<TensorBatch> seen = new ArrayList<>();
            LoaderDataset<TensorBatch> dataset = LoaderDataset.of(loader, (batch, arrays) -> {
                seen.add(batch);
                arrays.data(batch.tensor("place")).label(batch.tensor("side"));
                return batch.size();
            });
            Iterator<Batch> epoch = dataset.getData(manager).iterator();
            Batch first = epoch.next();
            first.getData().head().muli(0).addi(7);

            assertThat(seen.getFirst().tensor("place").segment().toArray(JAVA_FLOAT))
                    .containsOnly(7);
            assertThat(first.getLabels().head().getShape()).isEqualTo(new Shape(4));
            NDArray data = first.getData().head();
            first.close();
            first.close();
            assertThat(data.isReleased()).isTrue();
            assertThatThrownBy(() -> seen.getFirst().tensor("place").segment())
                    .isInstanceOf(IllegalStateException.class);
            while (epoch.hasNext()) {
                epoch.next().close();
            }
            assertThat(manager.getManagedArrays()).isEmpty();
        }
    }

    @Test
    void everyEpochHasAllBatchesWithTheirNumbers() throws Exception {
        try (DataLoader<RowBatch<Point>> loader = rows(10)) {
            LoaderDataset<RowBatch<Point>> dataset = LoaderDataset.ofRows(loader, Point::side);
            dataset.prepare();
            for (int epoch = 0; epoch < 3; epoch++) {
                List<String> batches = new ArrayList<>();
                for (Batch batch : dataset.getData(manager)) {
                    try (batch) {
                        batches.add(batch.getSize() + " " + batch.getProgress() + "/" + batch.getProgressTotal());
                    }
                }
                assertThat(batches).containsExactly("4 0/3", "4 1/3", "2 2/3");
            }
        }
    }

    @Test
    void keptBatchesAreServedAgainAndAgain() throws Exception {
        try (DataLoader<TensorBatch> loader = fields(64);
                CacheLoader<TensorBatch> kept = CacheLoader.of(loader, 2).stopAfter(20)) {
            int batches = 0;
            var dataset = LoaderDataset.ofTensors(kept, List.of("place"), List.of("side"))
                    .batches(20);
            for (Batch batch : dataset.getData(manager)) {
                try (batch) {
                    assertThat(batch.getProgressTotal()).isEqualTo(20);
                    assertThat(batch.getData().head().getShape()).isEqualTo(new Shape(4, 2));
                    batches++;
                }
            }
            assertThat(batches).isEqualTo(20);
        }
    }

    @Test
    void aBatchThatCannotBeReadIsGivenBack() throws Exception {
        try (DataLoader<TensorBatch> loader = fields(4)) {
            List<TensorBatch> seen = new ArrayList<>();
            LoaderDataset<TensorBatch> dataset = LoaderDataset.of(loader, (batch, arrays) -> {
                seen.add(batch);
                arrays.data(batch.tensor("place")).data(batch.tensor("color"));
                return batch.size();
            });
            Iterator<Batch> epoch = dataset.getData(manager).iterator();

            assertThatThrownBy(epoch::next).hasMessageContaining("no such field 'color'");

            assertThatThrownBy(() -> seen.getFirst().tensor("place").segment())
                    .isInstanceOf(IllegalStateException.class);
            assertThat(manager.getManagedArrays()).isEmpty();
        }
    }

    private static DataLoader<RowBatch<Point>> rows(long size) {
        return DataLoader.of(new Points(size))
                .shuffle(3)
                .numWorkers(2)
                .batchRows(4, ElementType.FLOAT32, org.jspdl.memory.Shape.of(2), 1 << 20, (point, row) -> {
                    row.set(JAVA_FLOAT_UNALIGNED, 0, point.place()[0]);
                    row.set(JAVA_FLOAT_UNALIGNED, 4, point.place()[1]);
                })
                .build();
    }

    private DataLoader<TensorBatch> fields(long size) {
        return DataLoader.of(new Points(size))
                .numWorkers(2)
                .batchSize(4)
                .collate(Collation.ofRecord(Point.class, pool))
                .build();
    }
}
