/// When requests are sent: again, a second time, and how many at once.
package org.jspdl.data.http.pace;
