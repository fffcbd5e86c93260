package org.jspdl.data.azure;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
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

/// The containers of Azure's accounts. Owns its client.
final class AzureStorage implements Storage {
    private final StorageOptions options;
    private final AzureSettings settings;
    private final RangeClient client;

    AzureStorage(StorageOptions options, AzureSettings settings, AzureAuthorizer authorizer) {
        this.options = options;
        this.settings = settings;
        this.client = new RangeClient(options, authorizer);
    }

    /// The address of the blob that `location` names.
    static AzureAddress blob(Location location) throws StorageException {
        AzureAddress address = AzureAddress.parse(location);
        if (address.key().isEmpty()) {
            throw new StorageException(Kind.UNSUPPORTED, location, "names a container, not a blob in it");
        }
        return address;
    }

    @Override
    public StoredObject object(Location location) throws StorageException {
        return HttpObject.withHead(location, settings.at(blob(location), ""), client);
    }

    @Override
    public Stream<ListedObject> list(Location location) throws StorageException {
        AzureListing listing = new AzureListing(client, settings, location);
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(listing, Spliterator.ORDERED | Spliterator.NONNULL), false);
    }

    @Override
    public void put(Location location, MemorySegment content) throws IOException {
        new AzureUpload(client, settings, location, options.readDeadline()).put(content);
    }

    @Override
    public void delete(Location location) throws IOException {
        try {
            client.update(location, settings.at(blob(location), ""), ObjectUpdate.of("DELETE"), options.readDeadline());
        } catch (StorageException gone) {
            if (gone.kind() != Kind.MISSING) {
                throw gone;
            }
        }
    }

    /// Asks for a write that must not happen.
    @Override
    public void requireWritable(Location folder) throws IOException {
        new AzureUpload(client, settings, folder.resolve("jspdl-probe"), options.readDeadline()).probe();
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
