/** Codecs of plain text and of configured JSON, and refusals as problem documents. */
@NullMarked
package dev.parlance.wire.plain;

import org.jspecify.annotations.NullMarked;
