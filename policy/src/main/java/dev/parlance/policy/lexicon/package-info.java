/** Coined terms: the board they stand on, who takes them up, and how they are read and shown. */
@NullMarked
package dev.parlance.policy.lexicon;

import org.jspecify.annotations.NullMarked;
