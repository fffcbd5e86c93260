/// Runs that can be looked at from outside while they go on, by `jspdl top` for instance.
///
/// [Live] opens a Unix socket for a run, in a folder that only this user can open. [LiveRuns] finds the runs of this
/// user, and [LiveLook] is what one tells. Not here: how that is drawn. Read [Live] first.
package org.jspdl.observe.live;
