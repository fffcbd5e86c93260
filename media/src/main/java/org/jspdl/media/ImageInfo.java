package org.jspdl.media;

/// What an image's header says.
///
/// @param format      the file format
/// @param width       pixels in a row as stored, before any orientation is applied
/// @param height      rows as stored
/// @param channels    1 for gray, 3 for color, 2 and 4 with alpha (or 4 for CMYK)
/// @param bitDepth    bits of one channel
/// @param orientation the EXIF orientation, 1 to 8; 1 (upright) if the file states none
public record ImageInfo(ImageFormat format, int width, int height, int channels, int bitDepth, int orientation) {}
