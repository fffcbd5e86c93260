package org.jspdl.data.http;

/// A response that is text for machines.
///
/// @param text the whole of it
/// @param tag  its entity tag; empty without one
/// @param link what its `Link` header says, such as where the next page of a listing is; empty without one
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TextPage(byte[] text, String tag, String link) {}
