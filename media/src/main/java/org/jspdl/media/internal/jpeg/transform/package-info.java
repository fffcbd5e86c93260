/// The inverse transforms of JPEG's blocks, of many side by side.
///
/// Coefficients and quantization in, samples at their places in memory out; which block is where is the business of
/// `org.jspdl.media.internal.jpeg`. Read [org.jspdl.media.internal.jpeg.transform.BlockTransforms] first.
package org.jspdl.media.internal.jpeg.transform;
