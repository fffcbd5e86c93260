package org.jspdl.data.storage;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.providers.Providers;

/// The providers of this program, the first of a scheme being the one that counts. Local files are always read by this
/// module. Others are looked for when a location asks for one, since that opens every jar of the class path. May be
/// used by many threads.
final class StorageProviders {
    private final StorageProvider files = new FileStorageProvider();
    private final ReentrantLock lock = new ReentrantLock();
    private List<StorageProvider> installed = List.of();
    private boolean found;

    /// The provider of the scheme of `location`.
    Optional<StorageProvider> find(Location location) {
        return files.schemes().contains(location.scheme())
                ? Optional.of(files)
                : installed().stream()
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

    private Set<String> schemes() {
        Set<String> schemes = new TreeSet<>(files.schemes());
        installed().forEach(provider -> schemes.addAll(provider.schemes()));
        return schemes;
    }

    /// Found once: each provider opens one storage.
    private List<StorageProvider> installed() {
        lock.lock();
        try {
            if (!found) {
                installed = Providers.of(
                        StorageProvider.class,
                        ServiceLoader.load(StorageProvider.class, StorageProvider.class.getClassLoader()));
                found = true;
            }
            return installed;
        } finally {
            lock.unlock();
        }
    }
}
