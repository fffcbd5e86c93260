package org.jspdl.data.bucket;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.http.RangeClient;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.ListedPages;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;

/// The objects below a folder, a page of a thousand at a time. What only marks a folder is left out. One thread.
final class BucketListing implements Iterator<ListedObject> {
    private final RangeClient client;
    private final BucketServer server;
    private final Location location;
    private final BucketAddress bucket;
    private final String prefix;
    private final ListedPages pages;
    private final ArrayDeque<ListedObject> page = new ArrayDeque<>();
    private Optional<String> continuation = Optional.of("");
    private boolean found;

    BucketListing(RangeClient client, BucketServer server, Location location) throws StorageException {
        BucketAddress folder = BucketAddress.parse(location);
        this.client = client;
        this.server = server;
        this.location = location;
        this.bucket = new BucketAddress(folder.bucket(), "");
        this.prefix = folder.key().isEmpty() || folder.key().endsWith("/") ? folder.key() : folder.key() + "/";
        this.pages = new ListedPages(location, prefix);
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
        String query = (token.isEmpty() ? "?" : "?" + BucketAddress.query("continuation-token", token) + "&")
                + "encoding-type=url&list-type=2&max-keys=1000&" + BucketAddress.query("prefix", prefix);
        HttpAddress address = server.at(bucket, query);
        ListingPage read = ListingPage.parse(location, client.text(location, address));
        pages.add(token, read.entries().stream().map(ListingPage.Entry::key).toList());
        for (ListingPage.Entry entry : read.entries()) {
            if (!entry.key().endsWith("/")) {
                page.add(new ListedObject(
                        Location.of(location.scheme() + "://" + bucket.bucket() + "/" + entry.key()),
                        entry.size(),
                        entry.version()));
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
