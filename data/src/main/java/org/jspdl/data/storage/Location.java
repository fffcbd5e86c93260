package org.jspdl.data.storage;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Takes locations apart.
public final class Location {
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+)://.*", Pattern.DOTALL);

    private Location() {}

    /// What comes before `://`, in lower case; `file` if nothing does.
    public static String scheme(String location) {
        Matcher matcher = SCHEME.matcher(location);
        return matcher.matches() ? matcher.group(1).toLowerCase(Locale.ROOT) : "file";
    }

    /// What comes after `://`, or the whole of a location without a scheme.
    public static String withoutScheme(String location) {
        Matcher matcher = SCHEME.matcher(location);
        return matcher.matches() ? location.substring(matcher.end(1) + 3) : location;
    }

    /// Whether reading it means asking another machine.
    public static boolean isRemote(String location) {
        return !scheme(location).equals("file");
    }
}
