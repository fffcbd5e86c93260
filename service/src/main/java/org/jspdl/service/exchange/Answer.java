package org.jspdl.service.exchange;

import org.jspdl.memory.Lease;

/// What a worker answered. Whoever has it closes the body.
///
/// @param status    of HTTP
/// @param announced the checksum that the worker says the body has; `none` if it says nothing
/// @param found     the checksum that the body has
/// @param body      at most as many bytes as were allowed
public record Answer(int status, String announced, String found, Lease body) {}
