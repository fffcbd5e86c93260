package org.jspdl.data.http;

import java.lang.foreign.MemorySegment;
import java.util.Map;

/// A request that changes something. It may be sent more than once: so twice must do the same as once.
///
/// @param method  such as `PUT`
/// @param headers besides the usual ones
/// @param body    what is sent, stays the caller's and must not change
public record ObjectUpdate(String method, Map<String, String> headers, MemorySegment body) {
    /// Copies the headers.
    public ObjectUpdate {
        headers = Map.copyOf(headers);
    }

    /// An update without a body.
    public static ObjectUpdate of(String method) {
        return new ObjectUpdate(method, Map.of(), MemorySegment.NULL);
    }
}
