package org.jspdl.media.image;

/// The sampled parameters for one image. With the same spec and file they give the same pixels again.
///
/// @param placement which part of the image goes where
/// @param colors    how its colors change
public record ImageTransform(ImagePlacement placement, ColorChange colors) {}
