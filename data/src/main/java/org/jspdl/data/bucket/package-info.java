/// Buckets of servers that speak the XML of S3, as Google's do, too: objects, listings and uploads.
///
/// Not here: where a server is and who asks, which the modules of the stores say. Read
/// [org.jspdl.data.bucket.BucketStorage] first.
@org.jspecify.annotations.NullMarked
package org.jspdl.data.bucket;
