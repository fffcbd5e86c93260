/// Range reads over HTTP/1.1: a blocking client for virtual threads that reads bodies straight into off-heap memory.
///
/// Storage on the web and S3 are made of it. Read [org.jspdl.data.internal.http.RangeClient] first; why it is not the
/// JDK's client is in docs/design/0012-storage.md.
package org.jspdl.data.internal.http;
