/// Range reads over HTTP/1.1: a blocking client for virtual threads that reads bodies straight into off-heap memory.
///
/// For those who write a [org.jspdl.data.storage.StorageProvider] of their own for a store that speaks HTTP: an
/// [org.jspdl.data.http.Authorizer] signs requests, an [org.jspdl.data.http.HttpObject] is one object. `jspdl-s3` is
/// made of these. Read [org.jspdl.data.http.RangeClient] first; why it is not the JDK's client is in
/// docs/design/0012-storage.md.
package org.jspdl.data.http;
