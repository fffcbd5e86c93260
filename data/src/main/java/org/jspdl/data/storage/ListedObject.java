package org.jspdl.data.storage;

/// One object of a listing.
///
/// @param location what [Storage#object] takes
/// @param size     bytes
public record ListedObject(Location location, long size) {}
