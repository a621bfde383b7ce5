/** Codecs of agent protocols: chooses the one that reads a request; no sockets, no decisions. */
@NullMarked
package dev.parlance.wire;

import org.jspecify.annotations.NullMarked;
