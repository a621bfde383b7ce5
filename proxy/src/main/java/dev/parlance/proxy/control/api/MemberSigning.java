package dev.parlance.proxy.control.api;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The keys with which the local agent signs in rounds, and those of others that the configuration
 * names: its party keys, and {@code pacts.peers}.
 *
 * @param own the agent's keys, the current one first; asked at each use, since a key can be rotated
 * @param pinned keys by member; they stand in place of what the control plane says
 */
public record MemberSigning(Supplier<List<SignerKey>> own, Map<String, List<VerifierKey>> pinned) {
  /** Copies the map. */
  public MemberSigning {
    pinned = Map.copyOf(pinned);
  }

  /** The agent's keys, the current one first. */
  public List<SignerKey> keys() {
    return own.get();
  }
}
