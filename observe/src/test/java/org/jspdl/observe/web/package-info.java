/// Tests of the dashboard, in a real browser too.
package org.jspdl.observe.web;
