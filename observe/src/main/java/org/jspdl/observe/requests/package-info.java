/// Which requests to other machines were under way when.
///
/// Here: what explains a stall in a stage that reads from far away. Not here: what the requests read, and how they are
/// sent. Read [RequestLog] first.
package org.jspdl.observe.requests;
