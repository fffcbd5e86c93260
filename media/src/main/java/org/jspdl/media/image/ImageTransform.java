package org.jspdl.media.image;

/// Everything that was drawn for one image: with the spec and the file it makes the same pixels again.
///
/// @param placement which part of the image goes where
/// @param colors    how its colors change
public record ImageTransform(ImagePlacement placement, ColorChange colors) {}
