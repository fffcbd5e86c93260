package org.jspdl.service;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.data.image.ImageSample;
import org.jspdl.data.image.ImageServiceProvider;
import org.jspdl.data.image.ImageServing;
import org.jspdl.data.image.ImageSource;
import org.jspdl.data.image.NotServableException;
import org.jspdl.data.storage.StorageException;
import org.jspdl.input.FormatException;
import org.jspdl.input.InputException;
import org.jspdl.input.ReadException;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.Closeables;
import org.jspdl.pipeline.Excerpt;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.pipeline.Pipelines;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspecify.annotations.Nullable;

/// A plan whose front part a worker runs, piece by piece: from its source to the first step that does not make one item
/// of one. Keeps nothing between pieces. Thread-safe; closed when no piece is made any more.
final class ServedPlan implements AutoCloseable {
    private final CompiledPlan plan;
    private final Description description;
    private final AtomicLong pieceBytes = new AtomicLong();

    private ServedPlan(CompiledPlan plan, Description description) {
        this.plan = plan;
        this.description = description;
    }

    /// Compiles `plan` to be served, and looks at every file's size for the fingerprint.
    ///
    /// @param options whose limits loaders are told
    /// @throws IllegalArgumentException if it has no images that are found by number, or no step that decodes them
    /// @throws org.jspdl.plan.PlanException if it can't be compiled
    static ServedPlan open(Plan plan, Operations operations, PlanContext context, ServerOptions options)
            throws IOException {
        ImageServing serving = new ImageServing();
        CompiledPlan compiled = plan.compile(operations, context.offer(ImageServing.class, serving));
        try {
            return new ServedPlan(compiled, described(compiled, operations, serving, options));
        } catch (Throwable failure) {
            compiled.close();
            throw failure;
        }
    }

    private static Description described(
            CompiledPlan compiled, Operations operations, ImageServing serving, ServerOptions options)
            throws IOException {
        ImageSource source = serving.source()
                .orElseThrow(() -> new IllegalArgumentException(
                        "only plans with the source 'images' or 'sample-images' can be served"));
        ImageSpec image = serving.image()
                .orElseThrow(() -> new IllegalArgumentException(
                        "only plans that decode images, with 'allocate-batch', can be served"));
        String snapshot = source.snapshot();
        long places = Pipelines.places(compiled.pipeline());
        long seed = compiled.options().seed();
        ImageServiceProvider.Wanted wanted = serving.wanted(seed).orElseThrow();
        return new Description(
                snapshot,
                source.order(wanted, places),
                seed,
                image.toString(),
                serving.stage(),
                image.rowBytes(),
                operations.versions(),
                places,
                options.mostPlaces(),
                options.atOnce(),
                source.classes());
    }

    Description description() {
        return description;
    }

    /// Memory of pieces that are on their way.
    long pieceBytes() {
        return pieceBytes.get();
    }

    /// A piece can't be made just now, or here.
    static final class UnmadeException extends Exception {
        private static final long serialVersionUID = 1L;
        private final boolean passing;

        UnmadeException(String reason, boolean passing) {
            super(reason);
            this.passing = passing;
        }

        /// Whether another attempt may succeed.
        boolean isPassing() {
            return passing;
        }
    }

    /// Makes the piece of `address`, which was checked against [#description]. The caller closes it.
    ///
    /// @throws UnmadeException if a file could not be read, which another attempt may change
    MadePiece make(PieceAddress address) throws UnmadeException {
        Excerpt excerpt = Pipelines.excerpt(
                plan.pipeline(),
                address.places().epoch(),
                address.each(),
                RunOptions.defaults().seed(description.seed()));
        List<ImageSample> images = new ArrayList<>(excerpt.items().size());
        try {
            for (Object item : excerpt.items()) {
                if (item instanceof ImageSample image) {
                    images.add(image);
                } else if (item != null) {
                    throw new UnmadeException(
                            "before its first batch the plan makes "
                                    + item.getClass().getSimpleName() + " of images, which can't be sent",
                            false);
                }
            }
            Map<Integer, InputException> failures = new TreeMap<>();
            for (Map.Entry<Integer, FailedItem> each : excerpt.failures().entrySet()) {
                failures.put(each.getKey(), lasting(each.getValue()));
            }
            return new MadePiece(
                    PieceFile.parts(address, images, description.rowBytes(), failures),
                    images,
                    failures.size(),
                    pieceBytes);
        } catch (Throwable failure) {
            excerpt.items().forEach(Closeables::closeItem);
            throw failure;
        }
    }

    /// Why an image can't be decoded, now or later.
    private static InputException lasting(FailedItem item) throws UnmadeException {
        return switch (item.cause()) {
            case ReadException unread
            when isLasting(unread.getCause()) -> {
                FormatException told = FormatException.because(unread.reason());
                yield unread.source().map(told::withSource).orElse(told);
            }
            case ReadException unread -> throw new UnmadeException(String.valueOf(unread.getMessage()), true);
            case InputException damaged -> damaged;
            case NotServableException other -> throw new UnmadeException(String.valueOf(other.getMessage()), false);
            case Throwable other -> throw new UnmadeException(item.input() + ": " + other, true);
        };
    }

    private static boolean isLasting(@Nullable Throwable cause) {
        return switch (cause) {
            case StorageException failure ->
                switch (failure.kind()) {
                    case MISSING, DENIED, RANGE, UNSUPPORTED -> true;
                    case CHANGED, UNAVAILABLE -> false;
                };
            case NoSuchFileException _, AccessDeniedException _, FileNotFoundException _ -> true;
            case null, default -> false;
        };
    }

    @Override
    public void close() {
        plan.close();
    }
}
