/**
 * Verdicts as they travel from sidecar to sidecar: their form, their codes, and who believes them.
 */
@NullMarked
package dev.parlance.ledger.verdict;

import org.jspecify.annotations.NullMarked;
