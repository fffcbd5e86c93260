/// Tests of what turns pixels around.
@org.jspecify.annotations.NullMarked
package org.jspdl.media.internal.pixels;
