package org.jspdl.data.coco;

import org.jspdl.data.storage.Location;

/// An image and the things in it. The arrays are the caller's.
///
/// @param file   where the image lies
/// @param id     its number in the JSON file
/// @param boxes  left, top, width and height of each thing in pixels, one after the other
/// @param labels the class of each thing, from 0
/// @param crowds 1 for a thing that is a crowd, else 0
public record CocoImage(Location file, long id, float[] boxes, long[] labels, byte[] crowds) {

    /// How many things there are.
    public int size() {
        return labels.length;
    }
}
