package org.jspdl.device;

/// The memory of a device at one moment, over all processes that use it.
///
/// @param freeBytes  what can still be had
/// @param totalBytes all of it
public record DeviceMemoryUse(long freeBytes, long totalBytes) {}
