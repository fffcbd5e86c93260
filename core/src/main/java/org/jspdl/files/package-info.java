/// Files that only this user can change: for libraries, caches, and what a plan writes; and files that are there whole
/// or not at all ([FreshFile]); files to read, rather than folders and pipes ([InputFile]), or to be mapped
/// ([MappedInput]), and files to go on with ([KeptFile]).
///
/// Read [SafeFolders] first.
package org.jspdl.files;
