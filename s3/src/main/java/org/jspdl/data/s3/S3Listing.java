package org.jspdl.data.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.http.RangeClient;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;

/// The objects below a folder, a page of a thousand at a time. What only marks a folder is left out. One thread.
final class S3Listing implements Iterator<ListedObject> {
    private final RangeClient client;
    private final S3Settings settings;
    private final Location location;
    private final S3Address bucket;
    private final String prefix;
    private final ArrayDeque<ListedObject> page = new ArrayDeque<>();
    private Optional<String> continuation = Optional.of("");
    private boolean found;

    S3Listing(RangeClient client, S3Settings settings, Location location) throws StorageException {
        S3Address folder = S3Address.parse(location);
        this.client = client;
        this.settings = settings;
        this.location = location;
        this.bucket = new S3Address(folder.bucket(), "");
        this.prefix = folder.key().isEmpty() || folder.key().endsWith("/") ? folder.key() : folder.key() + "/";
    }

    @Override
    public boolean hasNext() {
        try {
            while (page.isEmpty() && continuation.isPresent()) {
                read(continuation.get());
            }
            if (!found && page.isEmpty()) {
                throw new StorageException(
                        Kind.MISSING, location, "there is nothing in this folder; check the spelling");
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        found = true;
        return !page.isEmpty();
    }

    private void read(String token) throws IOException {
        // in the order of their names, as signatures want them
        String query = (token.isEmpty() ? "?" : "?" + S3Address.query("continuation-token", token) + "&")
                + "encoding-type=url&list-type=2&max-keys=1000&" + S3Address.query("prefix", prefix);
        HttpAddress address = bucket.at(settings, query);
        ListingPage read = ListingPage.parse(location, client.text(location, address));
        for (ListingPage.Entry entry : read.entries()) {
            if (!entry.key().endsWith("/")) {
                page.add(new ListedObject(Location.of("s3://" + bucket.bucket() + "/" + entry.key()), entry.size()));
            }
        }
        continuation = read.continuation();
    }

    @Override
    public ListedObject next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the listing of " + location + " has ended");
        }
        return page.removeFirst();
    }
}
