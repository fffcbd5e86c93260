/// What the readers of a cache are going to use, and the numbers by which objects are known. Read [AnnouncedOrders].
package org.jspdl.data.cache.order;
