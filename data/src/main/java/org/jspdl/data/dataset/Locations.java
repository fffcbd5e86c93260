package org.jspdl.data.dataset;

import org.jspdl.data.storage.Location;

/// Names of files relative to a place, on a disk or elsewhere.
final class Locations {
    private Locations() {}

    /// `name` in the folder `root`, unless it says itself where it lies.
    static String resolve(String root, String name) {
        if (root.isEmpty()
                || name.startsWith("/")
                || !Location.withoutScheme(name).equals(name)) {
            return name;
        }
        return root.endsWith("/") ? root + name : root + "/" + name;
    }

    /// The folder that holds `location`; empty for a name alone.
    static String parent(String location) {
        int slash = Location.withoutQuery(location).lastIndexOf('/');
        return slash < 0 ? "" : location.substring(0, Math.max(slash, 1));
    }
}
