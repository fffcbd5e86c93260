package org.jspdl.data.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspdl.files.FreshFile;

/// A recipe for a folder of JPEG photographs, one sub-folder per class; equal recipes make equal bytes on every
/// machine.
///
/// Sizes, quality and entropy are those of the photographs people train on. The class can be told from the picture.
///
/// @param images how many; spread evenly over the classes
/// @param seed   decides what is in them
public record SampleSet(int images, long seed) {
    /// The version of the recipe; changes whenever the bytes do.
    public static final int VERSION = 2;

    /// The set that `jspdl run` uses when it is given none.
    public static final SampleSet STANDARD = new SampleSet(500, 2012);

    /// The names of the classes, in the order of their numbers.
    public static final List<String> CLASSES =
            List.of(SampleClass.values()).stream().map(SampleClass::folder).toList();

    public SampleSet {
        if (images < 1) {
            throw new IllegalArgumentException("a sample set needs at least 1 image but was asked for " + images);
        }
    }

    /// Writes every image below `folder`, which exists.
    ///
    /// @param threads  how many paint at once
    /// @param progress told the number of images written so far, from any of those threads
    /// @throws IOException          if a file cannot be written
    /// @throws InterruptedException if the calling thread was interrupted; the threads have ended by then
    public void write(Path folder, int threads, IntConsumer progress) throws IOException, InterruptedException {
        for (String name : CLASSES) {
            Files.createDirectories(folder.resolve(name));
        }
        AtomicInteger next = new AtomicInteger();
        AtomicInteger written = new AtomicInteger();
        try (ExecutorService workers = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().name("jspdl-sample-", 1).factory())) {
            List<Future<?>> running = new ArrayList<>(threads);
            for (int i = 0; i < threads; i++) {
                running.add(workers.submit(() -> {
                    paintUntilDone(folder, next, written, progress);
                    return null;
                }));
            }
            awaitAll(running, workers);
        }
    }

    private void paintUntilDone(Path folder, AtomicInteger next, AtomicInteger written, IntConsumer progress)
            throws IOException {
        Painter painter = new Painter();
        byte[] pixels = new byte[0];
        try (PhotoEncoder encoder = new PhotoEncoder()) {
            for (int index = next.getAndIncrement();
                    index < images && !Thread.interrupted();
                    index = next.getAndIncrement()) {
                Photo photo = Photo.of(seed, index);
                int size = photo.width() * photo.height() * 3;
                pixels = pixels.length < size ? new byte[size] : pixels;
                painter.paint(photo, seed, pixels);
                write(folder.resolve(photo.path()), encoder.encode(photo, pixels));
                progress.accept(written.incrementAndGet());
            }
        }
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        try {
            Files.write(file, bytes);
        } catch (ClosedByInterruptException interrupted) {
            throw interrupted;
        } catch (IOException failure) {
            throw FreshFile.named(file, failure);
        }
    }

    private static void awaitAll(List<Future<?>> running, ExecutorService workers)
            throws IOException, InterruptedException {
        try {
            for (Future<?> worker : running) {
                worker.get();
            }
        } catch (InterruptedException interrupted) {
            workers.shutdownNow();
            throw interrupted;
        } catch (ExecutionException failure) {
            workers.shutdownNow();
            switch (failure.getCause()) {
                case IOException io -> throw io;
                case UncheckedIOException io -> throw io.getCause();
                case null, default ->
                    throw new IllegalStateException("painting the sample set failed", failure.getCause());
            }
        }
    }
}
