package org.jspdl.data.s3;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspdl.data.http.Authorizer;
import org.jspdl.data.http.HttpObject;
import org.jspdl.data.http.RangeClient;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageStats;
import org.jspdl.data.storage.StoredObject;

/// One S3 store. Owns its client.
final class S3Storage implements Storage {
    private final StorageOptions options;
    private final S3Settings settings;
    private final RangeClient client;

    private S3Storage(StorageOptions options, S3Settings settings, RangeClient client) {
        this.options = options;
        this.settings = settings;
        this.client = client;
    }

    static S3Storage open(StorageOptions options, S3Settings settings) {
        Authorizer authorizer = settings.credentials()
                .<Authorizer>map(credentials -> new S3Signer(credentials, settings.region()))
                .orElseGet(Authorizer::anonymous);
        return new S3Storage(options, settings, new RangeClient(options, authorizer));
    }

    @Override
    public StoredObject object(Location location) throws StorageException {
        S3Address address = S3Address.parse(location);
        if (address.key().isEmpty()) {
            throw new StorageException(Kind.UNSUPPORTED, location, "names a bucket, not an object in it");
        }
        return new HttpObject(location, address.at(settings, ""), client);
    }

    @Override
    public Stream<ListedObject> list(Location location) throws StorageException {
        S3Listing listing = new S3Listing(client, settings, location);
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(listing, Spliterator.ORDERED | Spliterator.NONNULL), false);
    }

    @Override
    public void put(Location location, MemorySegment content) throws IOException {
        new S3Upload(client, settings, location, options.readDeadline()).put(content);
    }

    /// Begins an upload and gives it up, which needs the same permission.
    @Override
    public void requireWritable(Location folder) throws IOException {
        new S3Upload(client, settings, folder.resolve("jspdl-probe"), options.readDeadline()).probe();
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
