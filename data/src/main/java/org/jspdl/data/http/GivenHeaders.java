package org.jspdl.data.http;

import java.util.Map;
import org.jspdl.data.storage.RequestHeaders;

/// Sends the headers that a user gave for some servers, to these alone, wherever a redirection leads.
record GivenHeaders(RequestHeaders given) implements Authorizer {
    @Override
    public void authorize(String method, HttpAddress address, Map<String, String> headers) {
        HttpAddress.Host host = address.host();
        given.of(host.tls(), host.name(), host.port()).forEach((name, value) -> {
            headers.keySet().removeIf(name::equalsIgnoreCase);
            headers.put(name, value);
        });
    }

    @Override
    public boolean isPersonal() {
        return false;
    }
}
