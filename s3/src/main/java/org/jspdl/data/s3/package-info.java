/// S3 and stores that speak as it does: credentials, regions, signatures and listings.
///
/// Not here: requests, retries and ranges (`org.jspdl.data.http`). Found by its scheme; start with
/// `org.jspdl.data.storage.Storage`.
package org.jspdl.data.s3;
