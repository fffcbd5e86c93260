package org.jspdl.device;

/// Host memory that is pinned until this is closed; closing again is harmless.
@FunctionalInterface
public interface HostRegistration extends AutoCloseable {
    @Override
    void close();
}
