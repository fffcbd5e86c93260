package org.jspdl.data.http;

import java.io.IOException;
import java.util.Map;

/// Adds to a request what shows who asks, such as a signature.
public interface Authorizer {

    /// Adds headers to `headers`, which hold those that are sent besides. Called for every attempt, by many
    /// threads.
    ///
    /// @throws IOException if there are no credentials; the message says what was tried, and holds no secret
    void authorize(String method, HttpAddress address, Map<String, String> headers) throws IOException;

    /// Whether what it adds is for one server only, so that redirections to another must not be followed.
    boolean isPersonal();

    /// Nothing is added.
    static Authorizer anonymous() {
        return new Authorizer() {
            @Override
            public void authorize(String method, HttpAddress address, Map<String, String> headers) {}

            @Override
            public boolean isPersonal() {
                return false;
            }
        };
    }
}
