package org.jspdl.data.image;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.providers.Providers;
import org.jspdl.source.Samplers;
import org.jspdl.source.ShardStream;

/// Reaches a data service; found by `ServiceLoader`, with `jspdl-service` on the class path.
@FunctionalInterface
public interface ImageServiceProvider {
    /// Asks `workers` what they serve, and settles on those that serve what `wanted` says.
    ///
    /// @param workers addresses such as `http://decoder-3:8080`
    /// @throws IOException if none does; the message says what each serves
    ImageService open(List<String> workers, Wanted wanted) throws IOException;

    /// What a loader wants of a service.
    ///
    /// @param shuffles whether each epoch has an order of its own
    /// @param orderSeed what these orders depend on
    /// @param seed     of what is random in decoding
    /// @param mixings  how shards may be mixed, as it ends the identity of a stream of shards; empty if the images
    ///     must be in files of their own
    /// @param snapshot of the dataset that the loader has itself, so that only workers with this dataset and with
    ///     the loader's decoders will do; empty if any dataset will
    /// @param ranks    loaders that share the images, all of which must get them from the same dataset and decoders
    record Wanted(
            boolean shuffles, long orderSeed, long seed, List<String> mixings, Optional<String> snapshot, int ranks) {
        private static final String NO_SHARDS = "0 shards of 0";
        private static final Pattern SHARDS =
                Pattern.compile("\\d{1,10} shards of (\\d{1,18})(?: with the names [0-9a-f]{8})?");

        /// Makes the list unmodifiable.
        public Wanted {
            mixings = List.copyOf(mixings);
        }

        /// Of a loader that is alone.
        public Wanted(boolean shuffles, long orderSeed, long seed, List<String> mixings, Optional<String> snapshot) {
            this(shuffles, orderSeed, seed, mixings, snapshot, 1);
        }

        /// Of any dataset of images in files of their own.
        public Wanted(boolean shuffles, long orderSeed, long seed) {
            this(shuffles, orderSeed, seed, List.of(), Optional.empty());
        }

        /// Of a dataset of images in files of their own.
        public Wanted(boolean shuffles, long orderSeed, long seed, Optional<String> snapshot) {
            this(shuffles, orderSeed, seed, List.of(), snapshot);
        }

        /// What a loader of these options wants.
        ///
        /// @param snapshot of the loader's own dataset; empty if any dataset will do
        static Wanted of(ImageLoaderOptions options, long seed, Optional<String> snapshot) {
            List<String> mixings = new ArrayList<>();
            // blocks are for shards that all have an index, which only the worker knows
            for (int block : options.shuffles() && options.block() > 0 ? new int[] {options.block(), 0} : new int[1]) {
                ShardStream<ShardSample> none = ShardStream.of(List.of());
                ShardStream<ShardSample> mixed = options.shuffles()
                        ? Shards.shuffled(none, options.seed(), options.interleave(), options.window(), block)
                        : none;
                mixings.add(mixed.identity().substring(NO_SHARDS.length()));
            }
            return new Wanted(options.shuffles(), options.seed(), seed, mixings, snapshot, options.worldSize());
        }

        /// Whether a worker's images are in the order that is wanted.
        ///
        /// @param order the identity of theirs
        /// @param places in an epoch
        public boolean isOf(String order, long places) {
            if (order.equals(order(places))) {
                return true;
            }
            Matcher shards = SHARDS.matcher(order);
            return shards.lookingAt()
                    && shards.group(1).equals(Long.toString(places))
                    && mixings.contains(order.substring(shards.end()));
        }

        /// For a message: what `order` of a worker should have been.
        public String expected(String order, long places) {
            return SHARDS.matcher(order).lookingAt() && !mixings.isEmpty()
                    ? "shards" + String.join(" or shards", mixings)
                    : order(places);
        }

        /// The identity of the order in a dataset of so many images in files of their own.
        public String order(long places) {
            return (shuffles ? Samplers.shuffled(places, orderSeed) : Samplers.sequential(places)).identity();
        }
    }

    /// The provider of this program.
    ///
    /// @throws IOException if there is none
    static ImageServiceProvider installed() throws IOException {
        return Providers.of(
                        ImageServiceProvider.class,
                        ServiceLoader.load(ImageServiceProvider.class, ImageServiceProvider.class.getClassLoader()))
                .stream()
                .findFirst()
                .orElseThrow(() -> new IOException(
                        "'service' needs the module jspdl-service on the class path, which asks the workers"));
    }
}
