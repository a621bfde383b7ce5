/** Boards of coined terms: any replica takes any call, the order of the ledger decides. */
@NullMarked
package dev.parlance.control.lexicon;

import org.jspecify.annotations.NullMarked;
