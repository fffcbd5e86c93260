package org.jspdl.data.storage;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Takes locations apart.
public final class Location {
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+)://.*", Pattern.DOTALL);

    private static final Pattern FIRST_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:");

    private Location() {}

    /// What comes before `://`, in lower case; `file` if nothing does.
    public static String scheme(String location) {
        Matcher matcher = SCHEME.matcher(location);
        return matcher.matches() ? matcher.group(1).toLowerCase(Locale.ROOT) : "file";
    }

    /// The path on a local disk that `location` names.
    ///
    /// @throws StorageException if it names another place: `s3:/bucket` too, which would be a folder called `s3:`
    public static Path localPath(String location) throws StorageException {
        try {
            return requireLocal(Path.of(scheme(location).equals("file") ? withoutScheme(location) : location));
        } catch (InvalidPathException failure) {
            throw new StorageException(
                    StorageException.Kind.UNSUPPORTED, location, "no path: " + FileNames.reason(failure), failure);
        } catch (IllegalArgumentException elsewhere) {
            throw new StorageException(
                    StorageException.Kind.UNSUPPORTED, shown(location), "is not on a local disk", elsewhere);
        }
    }

    /// `path`, unless it was made of a location elsewhere, such as `Path.of("s3://bucket/train")`.
    ///
    /// @throws IllegalArgumentException if it was
    public static Path requireLocal(Path path) {
        if (!path.isAbsolute()
                && path.getNameCount() > 0
                && FIRST_NAME.matcher(path.getName(0).toString()).matches()) {
            throw new IllegalArgumentException(
                    path + " is not a path on a local disk but names other storage," + " where nothing can be written");
        }
        return path;
    }

    /// What comes after `://`, or the whole of a location without a scheme.
    public static String withoutScheme(String location) {
        Matcher matcher = SCHEME.matcher(location);
        return matcher.matches() ? location.substring(matcher.end(1) + 3) : location;
    }

    /// The location as it may be shown or stored: of a web address without its query, which may be a signature, and
    /// without a password.
    public static String shown(String location) {
        if (!isWeb(location)) {
            return location;
        }
        int query = location.indexOf('?');
        String shown = query < 0 ? location : location.substring(0, query) + "?...";
        int host = shown.indexOf("://") + 3;
        int slash = shown.indexOf('/', host);
        int user = shown.lastIndexOf('@', slash < 0 ? shown.length() : slash);
        return user < host ? shown : shown.substring(0, host) + "..." + shown.substring(user);
    }

    /// The location without the query that a web address may have: its end says what it holds.
    public static String withoutQuery(String location) {
        int query = isWeb(location) ? location.indexOf('?') : -1;
        return query < 0 ? location : location.substring(0, query);
    }

    private static boolean isWeb(String location) {
        return location.regionMatches(true, 0, "http://", 0, 7) || location.regionMatches(true, 0, "https://", 0, 8);
    }

    /// Whether reading it means asking another machine.
    public static boolean isRemote(String location) {
        return !scheme(location).equals("file");
    }
}
