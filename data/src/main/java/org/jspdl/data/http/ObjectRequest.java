package org.jspdl.data.http;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspdl.data.storage.Location;

/// What is asked for: an object, a range of it, or its head.
///
/// @param location what the user calls it
/// @param range    `bytes=first-last`, or empty for the whole
/// @param version  the entity tag that the object must still have, or empty
/// @param update   what is sent along; empty for those that read
record ObjectRequest(
        String method,
        Location location,
        HttpAddress address,
        String range,
        String version,
        Optional<ObjectUpdate> update) {

    static ObjectRequest get(Location location, HttpAddress address) {
        return new ObjectRequest("GET", location, address, "", "", Optional.empty());
    }

    static ObjectRequest head(Location location, HttpAddress address) {
        return new ObjectRequest("HEAD", location, address, "", "", Optional.empty());
    }

    static ObjectRequest update(Location location, HttpAddress address, ObjectUpdate update) {
        return new ObjectRequest(update.method(), location, address, "", "", Optional.of(update));
    }

    /// What follows the head.
    MemorySegment body() {
        return update.map(ObjectUpdate::body).orElse(MemorySegment.NULL);
    }

    ObjectRequest range(long first, long end) {
        return new ObjectRequest(method, location, address, "bytes=" + first + "-" + (end - 1), version, update);
    }

    ObjectRequest version(String expected) {
        return new ObjectRequest(method, location, address, range, expected, update);
    }

    ObjectRequest address(HttpAddress other) {
        return new ObjectRequest(method, location, other, range, version, update);
    }

    /// The headers of the request, `Host` and what is signed included.
    Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Host", address.host().header());
        headers.put("User-Agent", "jspdl");
        headers.put("Accept-Encoding", "identity");
        if (!range.isEmpty()) {
            headers.put("Range", range);
        }
        // a weak tag, or a date, cannot be a condition; it is compared with what comes back
        if (version.startsWith("\"")) {
            headers.put("If-Match", version);
        }
        update.ifPresent(sent -> {
            headers.put("Content-Length", Long.toString(sent.body().byteSize()));
            headers.putAll(sent.headers());
        });
        return headers;
    }

    /// @param forwarding the proxy that forwards the request, if there is one
    byte[] bytes(Map<String, String> headers, Optional<ProxySettings.ProxyServer> forwarding) {
        StringBuilder text = new StringBuilder(400)
                .append(method)
                .append(' ')
                .append(forwarding.isPresent() ? address.host().toString() : "")
                .append(address.target())
                .append(" HTTP/1.1\r\n");
        forwarding
                .flatMap(ProxySettings.ProxyServer::credentials)
                .ifPresent(value ->
                        text.append("Proxy-Authorization: ").append(value).append("\r\n"));
        headers.forEach(
                (name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
        return text.append("\r\n").toString().getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    }
}
