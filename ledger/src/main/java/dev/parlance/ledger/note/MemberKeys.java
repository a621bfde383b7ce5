package dev.parlance.ledger.note;

import dev.parlance.ledger.note.VerifierKey.KeyType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keys of members of rounds that a reader has from the members themselves. Where there are some the
 * keys on the ledger, which the control plane writes, count for nothing in rounds, and every commit
 * must be signed by 2f+1 members that are here.
 *
 * @param keys by member; empty: the reader takes the ledger's
 * @param faults how many of the members may be faulty, at least 0. A round that was opened with a
 *     smaller f is held to this one: else a faulty member could be all of a round without faults
 */
public record MemberKeys(Map<String, List<VerifierKey>> keys, int faults) {
  /** What a reader takes who says nothing of faults. */
  public static final int DEFAULT_FAULTS = 1;

  /** The reader takes the ledger's. */
  public static final MemberKeys OF_LEDGER = new MemberKeys(Map.of(), 0);

  /** Copies the map, refuses impossible values. */
  public MemberKeys {
    if (faults < 0) {
      throw new IllegalArgumentException("expected faults of at least 0, got " + faults);
    }
    keys = Map.copyOf(keys);
  }

  /**
   * Reads keys in their text form, one a line; empty lines are skipped. Several may be of one
   * member.
   *
   * @param faults how many members may be faulty
   * @throws IllegalArgumentException for a line that is no Ed25519 key, or no line with one
   */
  public static MemberKeys parse(String text, int faults) {
    Map<String, List<VerifierKey>> keys = new LinkedHashMap<>();
    int number = 0;
    for (String line : text.lines().map(String::strip).toList()) {
      number++;
      if (line.isEmpty()) {
        continue;
      }
      if (!(VerifierKey.parse(line) instanceof Parsed.Ok<VerifierKey>(VerifierKey key))
          || key.type() != KeyType.ED25519) {
        // never its words: it may be any file
        throw new IllegalArgumentException("has no Ed25519 key in line " + number);
      }
      keys.computeIfAbsent(key.name(), _ -> new ArrayList<>()).add(key);
    }
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("has no key");
    }
    return new MemberKeys(keys, faults);
  }

  /** True if the reader has keys of its own. */
  public boolean isPinned() {
    return !keys.isEmpty();
  }

  /** The keys of a member; none for a stranger. */
  public List<VerifierKey> of(String member) {
    return keys.getOrDefault(member, List.of());
  }
}
