/// Google Cloud Storage: where it is, and who asks.
///
/// Not here: requests, retries and ranges (`org.jspdl.data.http`), listings and uploads (`org.jspdl.data.bucket`).
/// Found by its scheme; start with `org.jspdl.data.storage.Storage`.
package org.jspdl.data.gcs;
