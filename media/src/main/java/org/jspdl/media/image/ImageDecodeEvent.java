package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Throttle;

/// One image was decoded into its row, with everything that was done to it.
@Name("jspdl.ImageDecode")
@Label("Image Decode")
@Category("JSPDL")
@Description("One image was decoded, resized and written to its row; a few hundred of them a second")
@StackTrace(false)
@Throttle("300/s")
final class ImageDecodeEvent extends Event {
    @Label("Width")
    int width;

    @Label("Height")
    int height;

    @Label("Encoded Size")
    @DataAmount
    long encodedSize;

    @Label("Decoded Size")
    @DataAmount
    long decodedSize;

    /// What decoding does.
    @FunctionalInterface
    interface Decoding {
        void run();
    }

    /// Decodes as an event. Called only while a recorder runs: loading this class takes long.
    static void around(ImageDecodeContext context, MemorySegment encoded, MemorySegment row, Decoding decoding) {
        ImageDecodeEvent event = new ImageDecodeEvent();
        event.begin();
        try {
            decoding.run();
        } finally {
            event.end();
            if (event.shouldCommit()) {
                event.width = context.width();
                event.height = context.height();
                event.encodedSize = encoded.byteSize();
                event.decodedSize = row.byteSize();
                event.commit();
            }
        }
    }
}
