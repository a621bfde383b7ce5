/** The commands about coined terms. */
@NullMarked
package dev.parlance.cli.lexicon;

import org.jspecify.annotations.NullMarked;
