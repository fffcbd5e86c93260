/// What every native binding needs: C's types, downcalls, finding and unpacking libraries.
///
/// Not here: any function of a particular library (`org.jspdl.media.internal.<library>`).
/// Read [org.jspdl.media.internal.natives.C] first.
package org.jspdl.media.internal.natives;
