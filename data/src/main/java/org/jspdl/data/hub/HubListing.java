package org.jspdl.data.hub;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.http.RangeClient;
import org.jspdl.data.http.TextPage;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.json.JsonException;
import org.jspdl.json.JsonReader;
import org.jspecify.annotations.Nullable;

/// The files below a folder of a repository, page by page. One thread.
final class HubListing implements Iterator<ListedObject> {
    private static final Pattern NEXT = Pattern.compile("<([^<>]{1,8000})>\\s*;\\s*rel=\"next\"");

    private final RangeClient client;
    private final Location location;
    private final HubAddress folder;
    private final ArrayDeque<ListedObject> page = new ArrayDeque<>();
    private @Nullable HttpAddress next;

    HubListing(RangeClient client, HttpAddress.Host hub, Location location) throws StorageException {
        this.client = client;
        this.location = location;
        this.folder = HubAddress.parse(location);
        this.next = folder.listing(hub);
    }

    @Override
    public boolean hasNext() {
        try {
            for (HttpAddress asked = next; page.isEmpty() && asked != null; asked = next) {
                TextPage read = client.page(location, asked);
                next = following(asked, read.link());
                add(read.text());
            }
            return !page.isEmpty();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// The page behind this one, which the same host has.
    private @Nullable HttpAddress following(HttpAddress asked, String link) throws StorageException {
        Matcher found = NEXT.matcher(link);
        if (!found.find()) {
            return null;
        }
        String to = found.group(1);
        HttpAddress address =
                to.startsWith("/") ? new HttpAddress(asked.host(), to) : HttpAddress.parse(Location.of(to));
        if (!address.host().equals(asked.host()) || address.equals(asked)) {
            throw new StorageException(Kind.UNAVAILABLE, location, "the listing goes on nowhere sensible");
        }
        return address;
    }

    private void add(byte[] text) throws StorageException {
        try {
            JsonReader json = JsonReader.utf8(text);
            json.beginArray();
            while (json.hasNext()) {
                String type = "";
                String path = "";
                long size = 0;
                json.beginObject();
                while (json.hasNext()) {
                    switch (json.nextName()) {
                        case "type" -> type = json.nextString();
                        case "path" -> path = json.nextString();
                        case "size" -> size = json.nextLong();
                        default -> json.skipValue();
                    }
                }
                json.endObject();
                if (type.equals("file") && size >= 0) {
                    page.add(new ListedObject(folder.location(path), size));
                }
            }
            json.endArray();
            json.endDocument();
        } catch (JsonException noListing) {
            throw new StorageException(Kind.UNAVAILABLE, location, "the listing is none of the Hub's", noListing);
        }
    }

    @Override
    public ListedObject next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the listing of " + location + " has ended");
        }
        return page.removeFirst();
    }
}
