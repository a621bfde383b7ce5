package dev.parlance.ledger.record;

import dev.parlance.policy.text.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Which events an audit asks about: those of the pool that are fresh for the term, in the order of
 * {@code SHA-256(seed || 0x00 || term || 0x00 || event)} as unsigned bytes, the first of them. The
 * seed is committed to before the audit and shown after it, so that anybody can draw again.
 */
public final class Draw {
  /** Bytes of a seed. */
  public static final int SEED_BYTES = 32;

  private Draw() {}

  /**
   * The events drawn for a term, in the order of the draw; fewer than asked for if the pool has no
   * more.
   *
   * @param seed 32 bytes
   * @param term key of the term
   * @param pool identifiers of the pool's events
   * @param used those that an earlier audit of the plan has asked about with this term
   * @param count how many
   */
  public static List<String> of(
      byte[] seed, String term, Collection<String> pool, Set<String> used, int count) {
    if (seed.length != SEED_BYTES) {
      throw new IllegalArgumentException("expected a seed of 32 bytes, got " + seed.length);
    }
    MessageDigest prefix = Sha256.digest();
    prefix.update(seed);
    prefix.update((byte) 0);
    prefix.update(term.getBytes(StandardCharsets.UTF_8));
    prefix.update((byte) 0);
    List<Ticket> tickets = new ArrayList<>(pool.size());
    for (String event : pool) {
      if (!used.contains(event)) {
        MessageDigest digest = Digest.copyOf(prefix);
        tickets.add(new Ticket(digest.digest(event.getBytes(StandardCharsets.UTF_8)), event));
      }
    }
    tickets.sort(ORDER);
    return tickets.stream().limit(count).map(ticket -> ticket.event).toList();
  }

  /** Hex SHA-256 of the seed, which stands in the ledger before the draw can be known. */
  public static String commitment(byte[] seed) {
    return Digest.of(seed);
  }

  private static final Comparator<Ticket> ORDER =
      (first, second) -> Arrays.compareUnsigned(first.digest, second.digest);

  private static final class Ticket {
    private final byte[] digest;
    private final String event;

    private Ticket(byte[] digest, String event) {
      this.digest = digest;
      this.event = event;
    }
  }
}
