/// What the readers of a cache are going to use. Read [AnnouncedOrders].
package org.jspdl.data.cache.order;
