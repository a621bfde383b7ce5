/** What passes between hub and sidecars: its protobuf form in the protocol and in the store. */
@NullMarked
package dev.parlance.control.publish.api;

import org.jspecify.annotations.NullMarked;
