package org.jspdl.data.dataset;

import org.jspdl.data.storage.Location;

/// A sound and what is said in it.
///
/// @param location what [org.jspdl.data.storage.Storage#object] takes
/// @param label    the number of its class, from 0; [LabeledFiles#NO_LABEL] if it has none
/// @param text     what is said, as its list has it
public record TranscribedFile(Location location, int label, String text) {}
