package org.jspdl.data.hub;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.http.RangeClient;
import org.jspdl.data.http.TextPage;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.ListedPages;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.json.JsonException;
import org.jspdl.json.JsonReader;
import org.jspecify.annotations.Nullable;

/// The files below a folder of a repository, page by page. One thread.
final class HubListing implements Iterator<ListedObject> {
    /// A link, and what is said of it.
    private static final Pattern LINK = Pattern.compile("<([^<>]{1,8000})>([^<>]*)");

    private static final Pattern NEXT =
            Pattern.compile(";\\s*rel\\s*=\\s*(?:next\\b|\"[^\"]*\\bnext\\b)", Pattern.CASE_INSENSITIVE);

    private final RangeClient client;
    private final Location location;
    private final HubAddress folder;
    private final ArrayDeque<ListedObject> page = new ArrayDeque<>();
    private final ListedPages pages;
    private @Nullable HttpAddress next;

    HubListing(RangeClient client, HttpAddress.Host hub, Location location) throws StorageException {
        this.client = client;
        this.location = location;
        this.folder = HubAddress.parse(location);
        this.pages = new ListedPages(
                location, folder.path().isEmpty() ? "" : folder.path().replaceAll("/+$", "") + "/");
        this.next = folder.listing(hub);
    }

    @Override
    public boolean hasNext() {
        try {
            for (HttpAddress asked = next; page.isEmpty() && asked != null; asked = next) {
                TextPage read = client.page(location, asked);
                next = following(asked, read.link());
                add(asked.target(), read.text());
            }
            return !page.isEmpty();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// The page behind this one, which the same host has.
    private @Nullable HttpAddress following(HttpAddress asked, String link) throws StorageException {
        Optional<String> to = LINK.matcher(link)
                .results()
                .filter(each -> NEXT.matcher(each.group(2)).find())
                .map(each -> each.group(1))
                .findFirst();
        if (to.isEmpty()) {
            return null;
        }
        HttpAddress address = to.get().startsWith("/")
                ? new HttpAddress(asked.host(), to.get())
                : HttpAddress.parse(Location.of(to.get()));
        if (!address.host().equals(asked.host()) || address.equals(asked)) {
            throw new StorageException(Kind.UNAVAILABLE, location, "the listing goes on nowhere sensible");
        }
        return address;
    }

    private void add(String asked, byte[] text) throws StorageException {
        List<String> names = new ArrayList<>();
        try {
            JsonReader json = JsonReader.utf8(text);
            json.beginArray();
            while (json.hasNext()) {
                String type = "";
                String path = "";
                long size = -1;
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
                if (type.equals("file")) {
                    if (path.isEmpty() || size < 0) {
                        throw new StorageException(
                                Kind.UNAVAILABLE, location, "the listing has a file without a path or a size");
                    }
                    names.add(path);
                    page.add(new ListedObject(folder.location(path), size));
                }
            }
            json.endArray();
            json.endDocument();
            pages.add(asked, names);
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
