package org.jspdl.data.image;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspdl.source.Samplers;

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
    /// @param snapshot of the dataset that the loader has itself, so that only workers with this dataset and with
    ///     the loader's decoders will do; empty if any dataset will
    record Wanted(boolean shuffles, long orderSeed, long seed, Optional<String> snapshot) {
        /// Of any dataset.
        public Wanted(boolean shuffles, long orderSeed, long seed) {
            this(shuffles, orderSeed, seed, Optional.empty());
        }

        /// The identity of the order in a dataset of so many images.
        public String order(long places) {
            return (shuffles ? Samplers.shuffled(places, orderSeed) : Samplers.sequential(places)).identity();
        }
    }

    /// The provider of this program.
    ///
    /// @throws IOException if there is none
    static ImageServiceProvider installed() throws IOException {
        return ServiceLoader.load(ImageServiceProvider.class, ImageServiceProvider.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new IOException(
                        "'service' needs the module jspdl-service on the class path, which asks the workers"));
    }
}
