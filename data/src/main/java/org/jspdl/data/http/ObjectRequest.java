package org.jspdl.data.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspdl.data.storage.Location;

/// What is asked for: an object, a range of it, or its head.
///
/// @param location what the user calls it
/// @param range    `bytes=first-last`, or empty for the whole
/// @param version  the entity tag that the object must still have, or empty
record ObjectRequest(String method, Location location, HttpAddress address, String range, String version) {

    static ObjectRequest get(Location location, HttpAddress address) {
        return new ObjectRequest("GET", location, address, "", "");
    }

    static ObjectRequest head(Location location, HttpAddress address) {
        return new ObjectRequest("HEAD", location, address, "", "");
    }

    ObjectRequest range(long first, long end) {
        return new ObjectRequest(method, location, address, "bytes=" + first + "-" + (end - 1), version);
    }

    ObjectRequest version(String expected) {
        return new ObjectRequest(method, location, address, range, expected);
    }

    ObjectRequest address(HttpAddress other) {
        return new ObjectRequest(method, location, other, range, version);
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
