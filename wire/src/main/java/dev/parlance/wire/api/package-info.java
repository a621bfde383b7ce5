/** The codec interface and what passes through it: requests, answers, streams, verdict headers. */
@NullMarked
package dev.parlance.wire.api;

import org.jspecify.annotations.NullMarked;
