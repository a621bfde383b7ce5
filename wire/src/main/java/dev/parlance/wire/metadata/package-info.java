/**
 * Parlance's own members in message bodies: evidence, round marks and verdicts; problem documents.
 */
@NullMarked
package dev.parlance.wire.metadata;

import org.jspecify.annotations.NullMarked;
