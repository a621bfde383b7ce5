/**
 * Who a process is, and whom it believes: SPIFFE ids, certificates that show them, trust bundles.
 */
@NullMarked
package dev.parlance.service.identity;

import org.jspecify.annotations.NullMarked;
