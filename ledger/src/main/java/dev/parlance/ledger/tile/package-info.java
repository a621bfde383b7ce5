/** C2SP tlog-tiles: paths, hash tiles, entry bundles. Pure. */
@NullMarked
package dev.parlance.ledger.tile;

import org.jspecify.annotations.NullMarked;
