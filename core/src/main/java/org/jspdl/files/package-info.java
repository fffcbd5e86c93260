/// Files that only this user can change: for libraries, caches, and what a plan writes.
///
/// Read [SafeFolders] first.
package org.jspdl.files;
