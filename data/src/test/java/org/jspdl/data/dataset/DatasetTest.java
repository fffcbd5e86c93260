package org.jspdl.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageStats;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetTest {
    @TempDir
    Path root;

    private record Squares(long size) implements Dataset<Long> {
        @Override
        public Long get(long index) {
            return index * index;
        }
    }

    @Test
    void aDatasetOfFiveLinesFeedsAPipeline() {
        Dataset<String> texts = new Squares(10).map(square -> "s" + square);
        List<String> delivered = new ArrayList<>();
        try (Run<String> run = Pipeline.from(Samplers.sequential(texts.size()))
                .pipe("get", texts::get, cpu(2).inputOrder())
                .start()) {
            run.forEach(delivered::add);
        }
        assertThat(delivered).startsWith("s0", "s1", "s4").hasSize(10);
    }

    @Test
    void aStreamGoesOnWhereItsConsumerStoodAndIsClosed() {
        AtomicInteger open = new AtomicInteger();
        IterableDataset<Long> stream = epoch -> {
            open.incrementAndGet();
            return new Closing<>(
                    LongStream.range(0, 50).map(i -> i + 100 * epoch).iterator(), open);
        };
        Pipeline<Long> loading = Pipeline.from(stream.source()).pipe("work", item -> item, cpu(2));
        List<Long> delivered = new ArrayList<>();
        Checkpoint middle;
        try (Run<Long> run = loading.start(RunOptions.defaults().epochs(2))) {
            for (int i = 0; i < 20; i++) {
                delivered.add(run.iterator().next());
            }
            middle = run.checkpoint();
        }
        try (Run<Long> run = loading.start(RunOptions.defaults().epochs(2).resumeFrom(middle))) {
            do {
                run.forEach(delivered::add);
            } while (run.nextEpoch());
        }
        List<Long> expected = new ArrayList<>(LongStream.range(0, 50).boxed().toList());
        LongStream.range(100, 150).forEach(expected::add);
        assertThat(delivered).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(open).hasValue(0);
    }

    private record Closing<T>(java.util.Iterator<T> items, AtomicInteger open)
            implements java.util.Iterator<T>, AutoCloseable {
        @Override
        public boolean hasNext() {
            return items.hasNext();
        }

        @Override
        public T next() {
            return items.next();
        }

        @Override
        public void close() {
            open.decrementAndGet();
        }
    }

    @Test
    void filesBelowAFolderAreFoundByPattern() throws Exception {
        put("b/y.mp4", "a/deep/x.mp4", "a/notes.txt", "c.MKV");

        assertThat(paths(FolderFiles.matching(root, "**.mp4"))).containsExactly("a/deep/x.mp4", "b/y.mp4");
        assertThat(paths(FolderFiles.matching(root, "*.{mkv,MKV}"))).containsExactly("c.MKV");
        assertThat(paths(FolderFiles.matching(root, "**/*.{mkv,MKV}"))).containsExactly("c.MKV");
        assertThat(paths(FolderFiles.matching(root, "a/**/x.mp4"))).containsExactly("a/deep/x.mp4");
        assertThat(paths(FolderFiles.matching(root, "a/deep/**/x.mp4"))).containsExactly("a/deep/x.mp4");
        assertThat(paths(FolderFiles.matching(root, "**/*.mp4"))).containsExactly("a/deep/x.mp4", "b/y.mp4");
        assertThatThrownBy(() -> FolderFiles.matching(root, "*.wav")).hasMessageContaining("*.wav");
    }

    @Test
    void aListingOfAnObjectStoreIsReadClassByClass() throws Exception {
        List<String> keys =
                List.of("dog/b.jpg", "cat/z.jpg", "dog/a.jpg", ".hidden/x.jpg", "cat/.DS_Store", "notes.txt", "cat/");
        LabeledFiles files = LabeledFiles.open(listing("s3://bucket/train", keys), "s3://bucket/train");

        assertThat(files.classes()).containsExactly("cat", "dog");
        assertThat(LongStream.range(0, 3)
                        .mapToObj(index -> files.location(index).text()))
                .containsExactly(
                        "s3://bucket/train/cat/z.jpg", "s3://bucket/train/dog/a.jpg", "s3://bucket/train/dog/b.jpg");
        assertThat(files.labels()).containsExactly(0, 1, 1);
        assertThatThrownBy(() -> LabeledFiles.open(listing("s3://b", List.of()), "s3://b"))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("s3://b");
    }

    @Test
    void classesOfAnObjectStoreAreNumberedInTheOrderOfTheirCodePoints() throws Exception {
        List<String> keys = List.of("\uD83D\uDE00/a.jpg", "\uFF21/b.jpg", "cat/\uFF21.jpg", "cat/\uD83D\uDE00.jpg");
        LabeledFiles files = LabeledFiles.open(listing("s3://bucket/train", keys), "s3://bucket/train");

        assertThat(files.classes()).containsExactly("cat", "\uFF21", "\uD83D\uDE00");
        assertThat(LongStream.range(0, 4).mapToObj(files::name))
                .containsExactly("cat/\uFF21.jpg", "cat/\uD83D\uDE00.jpg", "\uFF21/b.jpg", "\uD83D\uDE00/a.jpg");
        assertThat(files.labels()).containsExactly(0, 0, 1, 2);
    }

    private static Storage listing(String location, List<String> keys) {
        return new Storage() {
            @Override
            public StoredObject object(Location any) {
                throw new UnsupportedOperationException(any.toString());
            }

            @Override
            public Stream<ListedObject> list(Location any) {
                return keys.stream().map(key -> new ListedObject(Location.of(location + "/" + key), 1));
            }

            @Override
            public StorageStats stats() {
                throw new UnsupportedOperationException();
            }

            @Override
            public void close() {}
        };
    }

    private List<String> paths(FolderFiles files) {
        return LongStream.range(0, files.size())
                .mapToObj(i -> root.relativize(Path.of(files.get(i))).toString())
                .toList();
    }

    private void put(String... names) throws Exception {
        for (String name : names) {
            Files.createDirectories(root.resolve(name).getParent());
            Files.writeString(root.resolve(name), name);
        }
    }
}
