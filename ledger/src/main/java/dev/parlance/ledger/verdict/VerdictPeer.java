package dev.parlance.ledger.verdict;

import dev.parlance.ledger.note.Hmac;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import java.util.List;
import java.util.Optional;

/**
 * Another sidecar by one of its keys: which of its verdicts have been here, and the secrets that it
 * shares with the keys of this one. For any thread.
 */
public final class VerdictPeer {
  /** Length of the id of a key. */
  static final int KEY_ID_CHARS = 8;

  private static final String PURPOSE = "parlance-verdict-mac-1";

  private final VerifierKey key;
  private final String keyId;
  private final long sinceMs;
  private final NumberWindow numbers = new NumberWindow();
  private volatile List<Shared> shared = List.of();

  /**
   * A secret; none if nobody may agree with the peer's key.
   *
   * @param ownId id of the own key and a colon, as it stands before a code
   */
  private record Shared(SignerKey own, String ownId, Optional<Hmac> secret) {}

  /**
   * A peer that is known from now on.
   *
   * @param sinceMs when, in milliseconds since the epoch: what it has made before may have been
   *     here
   */
  public VerdictPeer(VerifierKey key, long sinceMs) {
    this.key = key;
    this.keyId = key.idHex();
    this.sinceMs = sinceMs;
  }

  /** Its key. */
  public VerifierKey key() {
    return key;
  }

  /** Id of its key, 8 hex digits. */
  public String keyId() {
    return keyId;
  }

  /** Since when it is known. */
  long sinceMs() {
    return sinceMs;
  }

  /** Makes the secrets that it shares with these keys of this sidecar, which takes some time. */
  public void shareWith(List<SignerKey> own) {
    List<Shared> before = shared;
    shared =
        own.stream()
            .map(one ->
                before.stream()
                    .filter(known -> known.own == one)
                    .findFirst()
                    .orElseGet(() ->
                        new Shared(
                            one, one.verifier().idHex() + ':', Hmac.between(one, key, PURPOSE))))
            .toList();
  }

  /** What it shares with a key of this sidecar. */
  public Optional<Hmac> secret(SignerKey ownKey) {
    for (Shared known : shared) {
      if (known.own == ownKey) {
        return known.secret;
      }
    }
    return Optional.empty();
  }

  /** What it shares with the key whose id stands before a colon somewhere in a text. */
  Optional<Hmac> secret(String text, int at) {
    for (Shared known : shared) {
      if (text.startsWith(known.ownId, at)) {
        return known.secret;
      }
    }
    return Optional.empty();
  }

  /** Takes a number once. */
  boolean take(long number) {
    return numbers.take(number);
  }
}
