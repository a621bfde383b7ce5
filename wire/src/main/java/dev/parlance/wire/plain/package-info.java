/** Codecs of plain text and of JSON with configured pointers. */
@NullMarked
package dev.parlance.wire.plain;

import org.jspecify.annotations.NullMarked;
