package org.jspdl.data.http;

import java.util.stream.Stream;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageStats;
import org.jspdl.data.storage.StoredObject;

/// Objects on web servers, which are told what [StorageOptions.Access] has for them.
final class HttpStorage implements Storage {
    private final RangeClient client;

    HttpStorage(StorageOptions options) {
        this(new RangeClient(options, new GivenHeaders(options.access().headers())));
    }

    HttpStorage(RangeClient client) {
        this.client = client;
    }

    @Override
    public StoredObject object(Location location) throws StorageException {
        return new HttpObject(location, HttpAddress.parse(location), client);
    }

    @Override
    public Stream<ListedObject> list(Location location) throws StorageException {
        throw new StorageException(
                Kind.UNSUPPORTED, location, "web servers list nothing; name the objects, in a file list");
    }

    @Override
    public StorageStats stats() {
        return client.stats();
    }

    @Override
    public void close() {
        client.close();
    }
}
