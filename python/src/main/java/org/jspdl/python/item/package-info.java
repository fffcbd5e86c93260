/// What items of a plan hold: taken apart into arrays and values, and closed. Read [ItemContent].
package org.jspdl.python.item;
