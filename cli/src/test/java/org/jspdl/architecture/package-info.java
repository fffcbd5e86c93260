/// Tests of the source as a whole: which package may use which, and whether our documents name types that exist.
///
/// They live here because the command is built after every module it is made of. Read [Arrows] first.
package org.jspdl.architecture;
