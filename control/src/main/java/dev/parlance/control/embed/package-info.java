/** Texts become vectors: the encoder of rounds. */
@NullMarked
package dev.parlance.control.embed;

import org.jspecify.annotations.NullMarked;
