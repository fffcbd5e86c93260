/// Images in batches: the loader that programs, the command line, plans and Python share.
///
/// Read [ImageLoader] first.
package org.jspdl.data.image;
