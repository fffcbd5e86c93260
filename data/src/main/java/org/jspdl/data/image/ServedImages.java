package org.jspdl.data.image;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.dataset.LeftOut;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.RankedSource;
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;
import org.jspdl.source.Source;
import org.jspecify.annotations.Nullable;

/// Images that workers on other machines have decoded, in the order of a local run.
///
/// Pieces are asked for ahead of what the run takes, a few at once, and handed out in order. Reading an image does
/// nothing more, and decoding it converts its bytes. Where this machine does a part, some images are read and decoded
/// here as in a local run. An image that a worker could not decode fails where a local one
/// would, with the worker's reason; a service that does not answer ends the run.
public final class ServedImages implements ImageSource {
    private final ImageService service;
    private final ImageService.Served served;
    private final Sampler order;
    private final Optional<Source<ImageSample>> here;
    private volatile @Nullable DatasetException unusable;

    private ServedImages(ImageService service, Sampler order, Optional<Source<ImageSample>> here) {
        this.service = service;
        this.here = here;
        this.served = service.served();
        this.order = order;
    }

    /// The images of `service`, which it owns from here, dealt to ranks as `options` say.
    ///
    /// @throws DatasetException if there are fewer images than ranks
    public static ServedImages of(ImageService service, ImageLoaderOptions options) throws DatasetException {
        return of(service, options, Optional.empty());
    }

    private static ServedImages of(ImageService service, ImageLoaderOptions options, Optional<Source<ImageSample>> here)
            throws DatasetException {
        long places = service.served().places();
        if (places < (options.even().drops() ? options.worldSize() : 1)) {
            service.close();
            throw new DatasetException("the service has " + places + (places == 1 ? " image" : " images")
                    + ", too few for a world size of " + options.worldSize());
        }
        Sampler whole = Samplers.sequential(places);
        return new ServedImages(
                service, whole.shard(options.rank(), options.worldSize()).even(options.even()), here);
    }

    /// The images that `workers`, such as `http://decoder-3:8080`, serve of a dataset, for a loader of these
    /// options.
    ///
    /// @throws IOException if none of them serves these images
    public static ServedImages open(List<String> workers, ImageLoaderOptions options) throws IOException {
        ServedImages images = open(workers, options, options.seed());
        String unlike = images.served.unlike(options.image());
        unlike = unlike.isEmpty() ? images.served.unlike(ImageLoader.DECODING) : unlike;
        if (!unlike.isEmpty()) {
            images.close();
            throw new DatasetException(unlike);
        }
        return images;
    }

    /// The same where the key of randomness is not that of the order, and what images become is known later.
    public static ServedImages open(List<String> workers, ImageLoaderOptions options, long seed) throws IOException {
        requireAllImages(options);
        return of(
                ImageServiceProvider.installed()
                        .open(workers, ImageServiceProvider.Wanted.of(options, seed, Optional.empty())),
                options);
    }

    /// The same, of which this machine reads and decodes a part: as much as workers are too slow for.
    ///
    /// @param here the images of the same dataset on this machine, for loaders of the same `options`; the caller
    ///     closes it after the images
    /// @throws DatasetException if `options` pick samples or repeat them, which workers can't
    /// @throws IOException if no worker serves these images, of this very dataset and with the same decoders
    public static ServedImages openBeside(ImageSource here, List<String> workers, ImageLoaderOptions options, long seed)
            throws IOException {
        requireAllImages(options);
        ImageServiceProvider.Wanted wanted =
                ImageServiceProvider.Wanted.of(options, seed, Optional.of(here.snapshot()));
        Source<ImageSample> placed = here.placed();
        return of(ImageServiceProvider.installed().open(workers, wanted), options, Optional.of(placed));
    }

    private static void requireAllImages(ImageLoaderOptions options) throws DatasetException {
        if (options.samples().isPresent()) {
            throw new DatasetException("workers serve all images of a dataset, in its order or shuffled, not those of "
                    + options.samples().get() + ": leave out either the order or the service");
        }
    }

    ImageService service() {
        return service;
    }

    /// Images that are decoded here, at the same places; empty if none is.
    Optional<Source<ImageSample>> local() {
        return here;
    }

    ImageService.Served served() {
        return served;
    }

    /// 1 for an image at whose place all ranks have one, 0 where others have ended, -1 if ranks match.
    int everywhere(boolean last) {
        if (order.everywhere() == Long.MAX_VALUE) {
            return -1;
        }
        return last && order.size().orElseThrow() > order.everywhere() ? 0 : 1;
    }

    /// Ends the run, whatever its failure policy, if it wants other images than are served.
    void expect(ImageSpec spec) {
        expectNothing(served.unlike(spec));
    }

    /// The same if its stage that decodes is called other than the workers'.
    void expect(String stage) {
        expectNothing(served.unlike(stage));
    }

    private void expectNothing(String unlike) {
        if (!unlike.isEmpty()) {
            unusable = new DatasetException(unlike);
            throw new IllegalStateException(unlike);
        }
    }

    void checkUsable() throws DatasetException {
        DatasetException failure = unusable;
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public Source<ImageSample> images() {
        return new Images();
    }

    @Override
    public Access access() {
        return Access.IN_MEMORY;
    }

    @Override
    public String listing() {
        return served.places() + " images served as " + served.fingerprint();
    }

    @Override
    public LeftOut leftOut() {
        return LeftOut.NONE;
    }

    @Override
    public List<String> classes() {
        return served.classes();
    }

    @Override
    public String snapshot() {
        return served.fingerprint();
    }

    @Override
    public void close() {
        service.close();
    }

    private final class Images implements RankedSource<ImageSample> {
        @Override
        public Cursor<ImageSample> open(long epoch, Position from) throws Exception {
            return new ServedCursor(ServedImages.this, epoch, order.worldSize(), order.open(epoch, from));
        }

        @Override
        public OptionalLong size() {
            return order.size();
        }

        @Override
        public String identity() {
            return "images " + served.order() + " served as " + served.fingerprint() + ", " + order.identity();
        }

        @Override
        public int rank() {
            return order.rank();
        }

        @Override
        public int worldSize() {
            return order.worldSize();
        }

        @Override
        public long places() {
            return order.places();
        }
    }
}
