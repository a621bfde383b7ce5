/** Plans and audits: draws events, asks, writes the ledger, decides, issues cores. */
@NullMarked
package dev.parlance.control.certify;

import org.jspecify.annotations.NullMarked;
