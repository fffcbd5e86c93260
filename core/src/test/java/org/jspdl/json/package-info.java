/// Tests of the reader and the writer of JSON.
package org.jspdl.json;
