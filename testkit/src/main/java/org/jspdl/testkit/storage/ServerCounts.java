package org.jspdl.testkit.storage;

/// What a server has done so far.
///
/// @param connections  accepted
/// @param requests     heads that were read
/// @param served       objects and ranges that were sent whole and right
/// @param faults       requests that met a fault on purpose
/// @param bytes        of bodies
/// @param mostInFlight the most requests that waited for their answers at one moment
public record ServerCounts(long connections, long requests, long served, long faults, long bytes, long mostInFlight) {}
