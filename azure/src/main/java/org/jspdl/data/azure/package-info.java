/// Azure Blob Storage: where it is, who asks, listings and uploads.
///
/// Not here: requests, retries and ranges (`org.jspdl.data.http`). Found by its schemes; start with
/// `org.jspdl.data.storage.Storage`.
package org.jspdl.data.azure;
