/// Processes that do for us what may crash: how they are started, called over shared memory, ended and replaced.
///
/// Not here: what they do (`org.jspdl.media.internal.codec`). Read [org.jspdl.media.internal.helper.HelperPool] first.
package org.jspdl.media.internal.helper;
