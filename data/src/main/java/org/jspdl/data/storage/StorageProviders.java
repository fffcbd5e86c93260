package org.jspdl.data.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeSet;

/// The providers of this program, the first of a scheme being the one that counts.
record StorageProviders(List<StorageProvider> providers) {

    static StorageProviders installed() {
        List<StorageProvider> found = new ArrayList<>();
        ServiceLoader.load(StorageProvider.class, StorageProvider.class.getClassLoader())
                .forEach(found::add);
        return new StorageProviders(List.copyOf(found));
    }

    /// The provider of the scheme of `location`.
    Optional<StorageProvider> find(Location location) {
        return providers.stream()
                .filter(provider -> provider.schemes().contains(location.scheme()))
                .findFirst();
    }

    StorageProvider serving(Location location) throws StorageException {
        return find(location)
                .orElseThrow(() -> new StorageException(
                        StorageException.Kind.UNSUPPORTED,
                        location,
                        "no storage for '" + location.scheme() + "://' is installed, only for " + schemes()
                                + ". Storage for s3:// comes with the module jspdl-s3, for gs:// with jspdl-gcs, for"
                                + " az:// and abfss:// with jspdl-azure."));
    }

    private TreeSet<String> schemes() {
        TreeSet<String> schemes = new TreeSet<>();
        providers.forEach(provider -> schemes.addAll(provider.schemes()));
        return schemes;
    }
}
