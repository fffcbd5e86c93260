/// Things that are used again, and things that end with their last user.
///
/// Not here: memory and its leases (`org.jspdl.memory`). Read [org.jspdl.media.internal.lifetime.ContextPool] first.
package org.jspdl.media.internal.lifetime;
