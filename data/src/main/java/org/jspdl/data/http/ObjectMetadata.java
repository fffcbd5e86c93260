package org.jspdl.data.http;

/// What a server says of an object.
///
/// @param version empty if it does not say
record ObjectMetadata(long size, String version) {}
