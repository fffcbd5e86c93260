/// A web server in memory that misbehaves on purpose, for tests and benchmarks of storage.
///
/// It speaks as much HTTP/1.1 as range reads need, and the listing of S3. Read
/// [org.jspdl.testkit.storage.ObjectServer] first.
package org.jspdl.testkit.storage;
