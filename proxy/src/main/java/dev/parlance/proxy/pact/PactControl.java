package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.service.Result;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The control plane's pacts, as the sidecar's agent asks about them. Nothing blocks; what is
 * returned completes within a bounded time, on any thread, and never exceptionally. Every call may
 * be repeated.
 */
public interface PactControl {
  /**
   * A pact as the control plane has it.
   *
   * @param parties initiator, responder
   * @param state active, dissolved or in_dispute
   * @param sha256 hex SHA-256 of the note's text
   * @param note the signed note
   * @param reason why it has ended; empty while it holds
   * @param completing parties that have said that the work is done
   */
  record View(
      String pact,
      List<String> parties,
      String state,
      String sha256,
      String note,
      Optional<String> reason,
      Set<String> completing) {
    /** Copies the collections. */
    public View {
      parties = List.copyOf(parties);
      completing = Set.copyOf(completing);
    }
  }

  /**
   * Makes a key count as the own agent's.
   *
   * @param overlapMs for so long the key before it goes on counting, 0 to 86,400,000
   */
  CompletableFuture<Result<Boolean>> registerKey(VerifierKey key, int overlapMs);

  /** The keys of a party that count now, newest first; {@code key_unknown} without any. */
  CompletableFuture<Result<List<VerifierKey>>> keys(String party);

  /**
   * A published template.
   *
   * @param note signed
   * @param keys of its author that counted when the ledger took it
   */
  record Published(String note, List<VerifierKey> keys) {
    /** Copies the list. */
    public Published {
      keys = List.copyOf(keys);
    }
  }

  /** These templates, as far as they are published. */
  CompletableFuture<Result<List<Published>>> templates(Collection<String> references);

  /**
   * A negotiation of the own agent's that was handed to an arbiter.
   *
   * @param handed whose it is, who decides and until when
   * @param state waiting, decided, refused, expired or attested
   * @param report that both parties have signed
   */
  record HandedOver(PactCase handed, String state, String report) {}

  /** The newest negotiation that the own agent has begun with a party and handed to an arbiter. */
  CompletableFuture<Result<Optional<HandedOver>>> handedOver(String peer);

  /** Puts a pact that both have signed on the ledger. */
  CompletableFuture<Result<View>> attest(String note);

  /** Hands over a signed observation or report. */
  CompletableFuture<Result<Boolean>> report(String note);

  /** Hands over a signed dissolution. */
  CompletableFuture<Result<View>> dissolve(String note);

  /** The pact as it is; {@code pact_unknown} without one. */
  CompletableFuture<Result<View>> get(String pact);

  /**
   * Tells of the own agent's pacts as they change, first those that hold now, for as long as the
   * sidecar runs. Streams that break are opened anew.
   *
   * @param each called for each, in order
   * @param opened called whenever a stream begins
   */
  void watch(Consumer<View> each, Runnable opened);
}
