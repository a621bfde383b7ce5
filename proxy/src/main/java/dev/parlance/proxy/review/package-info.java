/** The bounded, durable queue of messages that wait for a person. */
@NullMarked
package dev.parlance.proxy.review;

import org.jspecify.annotations.NullMarked;
