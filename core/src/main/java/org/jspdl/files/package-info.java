/// Files that only this user can change: for libraries, caches, and what a plan writes; and files that are there whole
/// or not at all ([FreshFile]); and files to read, rather than folders and pipes ([InputFile]).
///
/// Read [SafeFolders] first.
package org.jspdl.files;
