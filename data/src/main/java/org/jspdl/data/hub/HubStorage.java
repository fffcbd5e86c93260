package org.jspdl.data.hub;

import java.nio.file.Path;
import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspdl.data.http.HttpAddress;
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

/// One Hub. Owns its client.
final class HubStorage implements Storage {
    private static final String HUB = "https://huggingface.co";

    private final HttpAddress.Host hub;
    private final RangeClient client;

    private HubStorage(HttpAddress.Host hub, RangeClient client) {
        this.hub = hub;
        this.client = client;
    }

    static HubStorage open(StorageOptions options, Map<String, String> environment, Path home) throws StorageException {
        HttpAddress.Host hub = HttpAddress.parse(Location.of(environment.getOrDefault("HF_ENDPOINT", HUB)))
                .host();
        return new HubStorage(hub, new RangeClient(options, HubToken.of(hub, environment, home)));
    }

    @Override
    public StoredObject object(Location location) throws StorageException {
        HubAddress address = HubAddress.parse(location);
        if (address.path().isEmpty()) {
            throw new StorageException(Kind.UNSUPPORTED, location, "names a repository, not a file in it");
        }
        return new HttpObject(location, address.file(hub), client);
    }

    /// Tokens are for what is private: without one the Hub says that it is not there.
    @Override
    public Stream<ListedObject> list(Location location) throws StorageException {
        HubListing listing = new HubListing(client, hub, location);
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(listing, Spliterator.ORDERED | Spliterator.NONNULL), false);
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
