/** Merkle tree of RFC 6962: hashes, compact ranges, inclusion and consistency proofs. Pure. */
@NullMarked
package dev.parlance.ledger.tree;

import org.jspecify.annotations.NullMarked;
