/** The exchanges of a sidecar: the stages of each message, and what is done as they decide. */
@NullMarked
package dev.parlance.proxy.exchange;

import org.jspecify.annotations.NullMarked;
