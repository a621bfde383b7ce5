/** Bodies as bytes: their memory, decoding, UTF-8 and edits that leave the rest untouched. */
@NullMarked
package dev.parlance.wire.bytes;

import org.jspecify.annotations.NullMarked;
