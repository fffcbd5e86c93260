package org.jspdl.data.storage;

import java.util.Optional;
import org.jspdl.data.storage.StorageException.Kind;

/// Watches the pages of one listing: a server, or a proxy before it, that answers two requests with the same page, or
/// with what nobody asked for, would make a dataset of something else without an error. One thread.
public final class ListedPages {
    private final Location location;
    private final String prefix;
    private Optional<String> first = Optional.empty();
    private String mark = "";
    private long pages;

    /// @param location of the folder that is listed
    /// @param prefix   with which the names of all that lies in it begin
    public ListedPages(Location location, String prefix) {
        this.location = location;
        this.prefix = prefix;
    }

    /// Another page has come.
    ///
    /// @param token what it was asked for with; empty for the first page
    /// @param names on it
    /// @throws StorageException if it is one that came before, or has a name that does not lie in the folder
    public void add(String token, Iterable<String> names) throws StorageException {
        // after 1, 2, 4, ... pages their token is kept, which finds every circle (Brent, 1980) in little memory
        Optional<String> begin = Optional.empty();
        for (String name : names) {
            if (!name.startsWith(prefix)) {
                throw new StorageException(
                        Kind.UNAVAILABLE,
                        location,
                        "the listing has '" + Printable.of(name)
                                + "', which is not in this folder: something on the way" + " answers another request");
            }
            begin = begin.or(() -> Optional.of(name));
        }
        boolean isSame = begin.isPresent() && begin.equals(first);
        if (pages > 0 && (isSame || token.equals(mark))) {
            throw new StorageException(
                    Kind.UNAVAILABLE, location, "the listing goes on where it was, which it would do for ever");
        }
        pages++;
        if (Long.bitCount(pages) == 1) {
            mark = token;
        }
        first = begin.or(() -> first);
    }
}
