package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.io.Serial;

/// Nothing can be packed here, or what was packed is damaged; the message says why and what to do.
public final class PackException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    /// For one who packs.
    public PackException(String message) {
        super(message);
    }
}
