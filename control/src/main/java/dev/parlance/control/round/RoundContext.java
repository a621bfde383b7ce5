package dev.parlance.control.round;

import dev.parlance.control.certify.LedgerView;
import dev.parlance.control.certify.LedgerWriter;
import dev.parlance.control.config.RoundsSettings;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.metrics.RoundMetrics;
import dev.parlance.control.store.Store;
import dev.parlance.ledger.note.SignerKey;

/**
 * What rounds work with.
 *
 * @param noteKey signs outcomes: the key that signs cores
 * @param pollMs how often the ledger is read for what other replicas did
 */
public record RoundContext(
    Store store,
    LedgerWriter ledger,
    LedgerView view,
    SignerKey noteKey,
    Embedder embedder,
    RoundMetrics metrics,
    RoundsSettings settings,
    int pollMs) {}
