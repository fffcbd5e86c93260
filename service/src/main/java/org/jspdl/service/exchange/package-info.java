/// Requests for pieces, and what comes of them.
package org.jspdl.service.exchange;
