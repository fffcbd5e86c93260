package org.jspdl.data.azure;

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

/// The blobs below a folder, page by page ("List Blobs"). What only marks a folder is left out. One thread.
final class AzureListing implements Iterator<ListedObject> {
    private final RangeClient client;
    private final AzureSettings settings;
    private final Location location;
    private final AzureAddress container;
    private final String prefix;
    private final ListedPages pages;
    private final int pageSize;
    private final ArrayDeque<ListedObject> page = new ArrayDeque<>();
    private Optional<String> continuation = Optional.of("");
    private boolean found;

    AzureListing(RangeClient client, AzureSettings settings, Location location) throws StorageException {
        this(client, settings, location, 2_000);
    }

    /// @param pageSize blobs for each request, 5,000 at most
    AzureListing(RangeClient client, AzureSettings settings, Location location, int pageSize) throws StorageException {
        AzureAddress folder = AzureAddress.parse(location);
        this.client = client;
        this.settings = settings;
        this.location = location;
        this.container = folder.all();
        this.prefix = folder.key().isEmpty() || folder.key().endsWith("/") ? folder.key() : folder.key() + "/";
        this.pages = new ListedPages(location, prefix);
        this.pageSize = pageSize;
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

    private void read(String marker) throws IOException {
        String query = "restype=container&comp=list&include=metadata&maxresults=" + pageSize
                + (prefix.isEmpty() ? "" : "&prefix=" + HttpAddress.escape(prefix, "-._~"))
                + (marker.isEmpty() ? "" : "&marker=" + HttpAddress.escape(marker, "-._~"));
        AzureListingPage read = AzureListingPage.parse(location, client.text(location, settings.at(container, query)));
        pages.add(
                marker,
                read.entries().stream().map(AzureListingPage.Entry::name).toList());
        for (AzureListingPage.Entry entry : read.entries()) {
            if (!entry.folder() && !entry.name().endsWith("/")) {
                page.add(new ListedObject(container.location(entry.name()), entry.size(), entry.version()));
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
