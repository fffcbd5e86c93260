package org.jspdl.service;

import java.io.IOException;
import java.util.List;
import org.jspdl.data.image.ImageService;
import org.jspdl.data.image.ImageServiceProvider;

/// Reaches workers over HTTP; found by `ServiceLoader`.
public final class HttpImageServices implements ImageServiceProvider {
    /// For `ServiceLoader`.
    public HttpImageServices() {}

    @Override
    public ImageService open(List<String> workers, Wanted wanted) throws IOException {
        return RemotePieces.open(workers, wanted, ClientOptions.defaults());
    }
}
