/// S3 and stores that speak as it does: credentials, regions and signatures.
///
/// Not here: requests, retries and ranges (`org.jspdl.data.http`), listings and uploads (`org.jspdl.data.bucket`).
/// Found by its scheme; start with `org.jspdl.data.storage.Storage`.
package org.jspdl.data.s3;
