package org.jspdl.data.dataset;

/// A file and its class.
///
/// @param location what [org.jspdl.data.storage.Storage#object] takes
/// @param label    the number of its class, from 0
public record LabeledFile(String location, int label) {}
