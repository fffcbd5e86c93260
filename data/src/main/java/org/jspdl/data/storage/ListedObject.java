package org.jspdl.data.storage;

/// One object of a listing.
///
/// @param location what [Storage#object] takes
/// @param size     bytes
/// @param version  what [StoredObject#version] tells of it, but for quotes; empty where the listing does not say
public record ListedObject(Location location, long size, String version) {
    /// An object whose listing tells no version.
    public ListedObject(Location location, long size) {
        this(location, size, "");
    }
}
