/// One reader and one writer of JSON (RFC 8259), both strict.
package org.jspdl.json;
