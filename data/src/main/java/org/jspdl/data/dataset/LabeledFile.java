package org.jspdl.data.dataset;

import org.jspdl.data.storage.Location;

/// A file and its class.
///
/// @param location what [org.jspdl.data.storage.Storage#object] takes
/// @param label    the number of its class, from 0
public record LabeledFile(Location location, int label) {}
