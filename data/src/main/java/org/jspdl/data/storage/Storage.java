package org.jspdl.data.storage;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// A place that holds objects: a disk, a web server, an object store, or all of them behind one entry.
///
/// A [Location] names an object: `photos/cat.jpg` or `file:///data/cat.jpg` on a local disk, `https://host/cat.jpg`,
/// `s3://bucket/cat.jpg`. What comes before `://` is the scheme; a location without one is a local path. The names
/// of files and keys are taken literally, with their spaces, `%` and `#`; web addresses are escaped as usual.
///
/// Safe for use by any number of threads. Methods block, and answer interruption with
/// [java.io.InterruptedIOException]; call those of remote storage in `io` stages, whose virtual threads wait cheaply.
public interface Storage extends AutoCloseable {

    /// Storage for every scheme that is installed, with the default options. The caller closes it.
    static Storage open() {
        return open(StorageOptions.defaults());
    }

    /// Storage for every scheme that is installed, found by [java.util.ServiceLoader]. The caller closes it.
    static Storage open(StorageOptions options) {
        return new SchemeStorage(options);
    }

    /// The object at `location`, to be read and closed by the caller. Costs nothing for remote storage: an object
    /// that does not exist is found out by the first read.
    ///
    /// @throws StorageException if no storage for the scheme is installed, the location cannot be one, or a local
    ///     file cannot be opened
    StoredObject object(Location location) throws IOException;

    /// The object at a location that is given as text; see [#object(Location)].
    default StoredObject object(String location) throws IOException {
        return object(Location.of(location));
    }

    /// All objects below the folder `location`, at any depth: for `s3://bucket/train`, those whose keys begin with
    /// `train/`. Local and S3 listings are in the order of their names. Objects are listed while the stream is
    /// consumed, page by page; close the stream.
    ///
    /// Names that begin with a dot are listed like all others.
    ///
    /// @throws StorageException if the scheme has no listings, or the folder cannot be read; the stream throws it
    ///     as the cause of an [java.io.UncheckedIOException]
    Stream<ListedObject> list(Location location) throws IOException;

    /// The same, where looking into each folder costs something: those that `enters` refuses need not be looked
    /// into. What is listed beside is the caller's to leave out.
    ///
    /// @param enters gets the path of a folder below `location`, such as `a/b`
    default Stream<ListedObject> list(Location location, Predicate<String> enters) throws IOException {
        return list(location);
    }

    /// All objects below a folder that is given as text; see [#list(Location)].
    default Stream<ListedObject> list(String location) throws IOException {
        return list(Location.of(location));
    }

    /// Makes an object of `content`, or replaces it. It appears whole or not at all: what fails, or ends with the
    /// process, leaves nothing that can be read.
    ///
    /// @param content stays the caller's, and must not change meanwhile
    /// @throws StorageException if the storage takes no objects, or not this one
    default void put(Location location, MemorySegment content) throws IOException {
        throw new StorageException(
                StorageException.Kind.UNSUPPORTED, location, "nothing can be written to " + location.scheme() + "://");
    }

    /// Deletes an object; one that is not there is none to delete.
    ///
    /// @throws StorageException if the storage deletes no objects, or not this one
    default void delete(Location location) throws IOException {
        throw new StorageException(
                StorageException.Kind.UNSUPPORTED, location, "nothing can be deleted at " + location.scheme() + "://");
    }

    /// Makes sure, as far as that can be known before, that objects can be written to a folder.
    ///
    /// @throws StorageException if not: it says why
    default void requireWritable(Location folder) throws IOException {
        throw new StorageException(
                StorageException.Kind.UNSUPPORTED, folder, "nothing can be written to " + folder.scheme() + "://");
    }

    /// Says which objects `reader` is going to read, in this order, instead of what it said before: a cache keeps
    /// what is needed soonest. Whoever announced says by [#use] when it begins to read one.
    ///
    /// @return whether there is a cache that keeps what is read
    default boolean announce(Object reader, List<Location> objects) {
        return false;
    }

    /// `reader` reads an object that it announced, until what is returned is closed.
    default Closeable use(Object reader, Location object) {
        return () -> {};
    }

    /// The server that has the objects of the scheme of `location`, if the location does not say it and it is not
    /// the usual one; else empty. See [StorageProvider#server].
    default String server(Location location) {
        return "";
    }

    /// How it reads remote objects.
    default StorageOptions options() {
        return StorageOptions.defaults();
    }

    /// What was read so far, over all schemes.
    StorageStats stats();

    /// Ends what is in flight and closes its connections; closing again is harmless.
    @Override
    void close();
}
