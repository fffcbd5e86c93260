package org.jspdl.data.storage;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspdl.data.storage.StorageException.Kind;

/// Where an object or a folder lies: a path on a local disk, or an address with a scheme, such as
/// `https://host/cat.jpg` or `s3://bucket/cat.jpg`. Immutable.
///
/// The text of a local path is what [FileNames] makes of the bytes of its names, whatever they are.
///
/// The text that a user gave is taken apart once, here. What is shown, logged or stored is [#toString], which hides the
/// query of a web address, for that may be a signature, and a password. Only a storage uses [#text].
public final class Location implements Comparable<Location> {
    private static final String FILE = "file";
    private static final Pattern FIRST_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:");

    private final String text;
    private final String scheme;
    private final int rest;
    private final boolean foreign;

    private Location(String text, String scheme, int rest) {
        this(text, scheme, rest, false);
    }

    /// @param foreign whether it is local and was named by a list that lies elsewhere
    private Location(String text, String scheme, int rest, boolean foreign) {
        this.foreign = foreign;
        this.text = text;
        this.scheme = scheme;
        this.rest = rest;
    }

    /// The location that `text` names. What comes before `://` is the scheme; without one it is a local path. Names
    /// are taken literally, with their spaces, `%` and `#`.
    public static Location of(String text) {
        int end = text.indexOf("://");
        return isScheme(text, end)
                ? new Location(text, text.substring(0, end).toLowerCase(Locale.ROOT), end + 3)
                : new Location(text, FILE, 0);
    }

    /// The location of a local path, whatever it is called.
    public static Location of(Path path) {
        return new Location(FileNames.text(path), FILE, 0);
    }

    /// Two characters at least: `C://` is a drive.
    private static boolean isScheme(String text, int end) {
        if (end < 2 || !isLetter(text.charAt(0))) {
            return false;
        }
        for (int i = 1; i < end; i++) {
            char c = text.charAt(i);
            if (!isLetter(c) && (c < '0' || c > '9') && "+.-".indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    /// What comes before `://`, in lower case; `file` if nothing does.
    public String scheme() {
        return scheme;
    }

    /// What comes after `://`, or the whole where there is no scheme.
    public String afterScheme() {
        return text.substring(rest);
    }

    /// The whole, with the query and the password that it may have: to be sent to a server, never to be shown.
    public String text() {
        return text;
    }

    /// Whether reading it means asking another machine.
    public boolean isRemote() {
        return !scheme.equals(FILE);
    }

    /// The path of a local file or folder.
    ///
    /// @throws StorageException if it is remote, or cannot be a path: `s3:/bucket` neither, a folder called `s3:`;
    ///     or if a list from another machine named it
    public Path path() throws StorageException {
        if (foreign) {
            throw new StorageException(
                    Kind.DENIED,
                    this,
                    "a list from another machine names this local file, which it may not; StorageOptions.allowLocal or"
                            + " --allow-local allows it");
        }
        return anyPath();
    }

    /// The same, whoever named it.
    Path anyPath() throws StorageException {
        if (isRemote()) {
            throw new StorageException(Kind.UNSUPPORTED, this, "is not on a local disk");
        }
        try {
            return requireLocal(FileNames.path(afterScheme()));
        } catch (InvalidPathException failure) {
            throw new StorageException(Kind.UNSUPPORTED, this, "no path: " + FileNames.reason(failure), failure);
        } catch (IllegalArgumentException elsewhere) {
            String meant =
                    text.matches("[a-z0-9]+:/[^/].*") ? "; did you mean " + text.replaceFirst(":/", "://") + "?" : "";
            throw new StorageException(Kind.UNSUPPORTED, this, "is not on a local disk" + meant, elsewhere);
        }
    }

    /// The location of a local path that is written as this one is, with its scheme or without.
    Location withPath(Path path) {
        return new Location(text.substring(0, rest) + FileNames.text(path), FILE, rest, foreign);
    }

    /// `path`, unless it was made of a location elsewhere, such as `Path.of("s3://bucket/train")`.
    ///
    /// @throws IllegalArgumentException if it was
    public static Path requireLocal(Path path) {
        if (!path.isAbsolute()
                && path.getNameCount() > 0
                && FIRST_NAME.matcher(path.getName(0).toString()).matches()) {
            throw new IllegalArgumentException(
                    path + " is not a path on a local disk but names other storage, where nothing can be written");
        }
        return path;
    }

    /// The location without the query that a web address may have: its end says what it holds.
    public String name() {
        int query = query();
        return query < 0 ? text : text.substring(0, query);
    }

    /// Whether it is a web address with a query, which concerns this object alone.
    public boolean hasQuery() {
        return query() >= 0;
    }

    private int query() {
        return isWeb() ? text.indexOf('?') : -1;
    }

    private boolean isWeb() {
        return scheme.equals("http") || scheme.equals("https");
    }

    /// Whether [#name] ends with one of these, in any case.
    public boolean endsWith(String... endings) {
        String name = name();
        for (String ending : endings) {
            if (name.regionMatches(true, name.length() - ending.length(), ending, 0, ending.length())) {
                return true;
            }
        }
        return false;
    }

    /// The location of `name`, which is relative to this folder unless it begins with a slash or a scheme. A remote
    /// folder can name no local file: its location is one that cannot be read, unless [StorageOptions#allowLocal].
    public Location resolve(String name) {
        Location alone = of(name);
        if (text.isEmpty() || name.startsWith("/") || alone.rest > 0) {
            return alone.isRemote() || !isRemote() ? alone : new Location(name, FILE, alone.rest, true);
        }
        return of(text.endsWith("/") ? text + name : text + "/" + name);
    }

    /// The folder that holds it; empty for a name alone.
    public Location parent() {
        int slash = name().lastIndexOf('/');
        return like(slash < 0 ? "" : text.substring(0, Math.max(slash, 1)));
    }

    /// The location beside it whose name ends with `other` in place of `ending`.
    ///
    /// @throws IllegalArgumentException if its text does not end so
    public Location withEnding(String ending, String other) {
        if (!text.regionMatches(true, text.length() - ending.length(), ending, 0, ending.length())) {
            throw new IllegalArgumentException("'" + this + "' does not end with " + ending);
        }
        return like(text.substring(0, text.length() - ending.length()) + other);
    }

    /// The location of `other`, as much to be trusted as this one.
    private Location like(String other) {
        Location location = of(other);
        return foreign ? new Location(location.text, location.scheme, location.rest, true) : location;
    }

    /// Tells it from all others, like [#text], but holds no query: for what is stored.
    public String key() {
        String shown = toString();
        if (shown.equals(text) && !foreign) {
            return text;
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return shown + (foreign ? "\n\n" : "\n") + HexFormat.of().formatHex(digest); // as no shown text has it
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public int compareTo(Location other) {
        return text.compareTo(other.text);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Location location
                && text.equals(location.text)
                && rest == location.rest
                && foreign == location.foreign;
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /// The location as it may be shown or stored: of a web address without its query, and without a password;
    /// control characters as [Printable] shows them.
    @Override
    public String toString() {
        return Printable.of(isRemote() ? withoutSecrets() : text);
    }

    private String withoutSecrets() {
        int query = query();
        String shown = query < 0 ? text : text.substring(0, query) + "?...";
        if (scheme.startsWith("abfs")) {
            return shown; // a container stands before the @
        }
        int slash = shown.indexOf('/', rest);
        int user = shown.lastIndexOf('@', slash < 0 ? shown.length() : slash);
        return user < rest ? shown : shown.substring(0, rest) + "..." + shown.substring(user);
    }
}
