/// libwebp through the foreign-function API: optional, and about twice as fast as FFmpeg's decoder.
@NullMarked
package org.jspdl.media.internal.webp;

import org.jspecify.annotations.NullMarked;
