/// `jspdl top`: the runs of this user, drawn again and again.
///
/// [TopScreen] draws what it is given, for a terminal of any width; [Keyboard] reads keys. Read [TopScreen] first.
package org.jspdl.cli.top;
