package org.jspdl.data.bucket;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspdl.data.http.Authorizer;
import org.jspdl.data.http.HttpObject;
import org.jspdl.data.http.ObjectUpdate;
import org.jspdl.data.http.RangeClient;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageStats;
import org.jspdl.data.storage.StoredObject;

/// The buckets of one server. Owns its client.
public final class BucketStorage implements Storage {
    private final StorageOptions options;
    private final BucketServer server;
    private final RangeClient client;

    /// Storage that says who asks by `authorizer`; the caller closes it.
    public BucketStorage(StorageOptions options, BucketServer server, Authorizer authorizer) {
        this.options = options;
        this.server = server;
        this.client = new RangeClient(options, authorizer);
    }

    @Override
    public StoredObject object(Location location) throws StorageException {
        BucketAddress address = BucketAddress.parse(location);
        if (address.key().isEmpty()) {
            throw new StorageException(Kind.UNSUPPORTED, location, "names a bucket, not an object in it");
        }
        return new HttpObject(location, server.at(address, ""), client);
    }

    @Override
    public Stream<ListedObject> list(Location location) throws StorageException {
        BucketListing listing = new BucketListing(client, server, location);
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(listing, Spliterator.ORDERED | Spliterator.NONNULL), false);
    }

    @Override
    public void put(Location location, MemorySegment content) throws IOException {
        new BucketUpload(client, server, location, options.readDeadline()).put(content);
    }

    @Override
    public void delete(Location location) throws IOException {
        BucketAddress address = BucketAddress.parse(location);
        if (address.key().isEmpty()) {
            throw new StorageException(Kind.UNSUPPORTED, location, "names a bucket, not an object in it");
        }
        try {
            client.update(location, server.at(address, ""), ObjectUpdate.of("DELETE"), options.readDeadline());
        } catch (StorageException gone) {
            if (gone.kind() != Kind.MISSING) {
                throw gone;
            }
        }
    }

    /// Begins an upload and gives it up, which needs the same permission.
    @Override
    public void requireWritable(Location folder) throws IOException {
        new BucketUpload(client, server, folder.resolve("jspdl-probe"), options.readDeadline()).probe();
    }

    @Override
    public StorageOptions options() {
        return options;
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
