package dev.parlance.policy.claim.support;

import dev.parlance.policy.signal.ClaimFindings.Departure;
import dev.parlance.policy.signal.ClaimFindings.Detail;
import dev.parlance.policy.signal.ClaimFindings.Excerpt;
import dev.parlance.policy.signal.ClaimFindings.WeakClaim;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where the claims of an answer depart from the evidence: kinds of all of them, and for one claim
 * after the other which, where it says so, and where the evidence says otherwise. For one thread.
 */
@SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
final class NotedDepartures {
  private static final int PARTS = 6;
  private static final int NONE = -1;
  private static final Departure[] ALL = Departure.values();

  private final EvidenceReading evidence;
  private final EnumSet<Departure> kinds = EnumSet.noneOf(Departure.class);
  private int count;
  private final int[] parts = new int[PARTS * WeakClaim.MAX_DETAILS];

  NotedDepartures(EvidenceReading evidence) {
    this.evidence = evidence;
  }

  /** Begins with another answer. */
  void start() {
    kinds.clear();
    startClaim();
  }

  /** Begins with another claim. */
  void startClaim() {
    count = 0;
  }

  /**
   * Notes a departure of the claim, as long as not so many are noted that nobody would read another
   * one.
   *
   * @param chunk where something else stands instead
   */
  void add(Departure departure, int from, int to, int chunk, int insteadFrom, int insteadTo) {
    kinds.add(departure);
    if (count < WeakClaim.MAX_DETAILS) {
      int at = PARTS * count++;
      parts[at] = departure.ordinal();
      parts[at + 1] = from;
      parts[at + 2] = to;
      parts[at + 3] = chunk;
      parts[at + 4] = insteadFrom;
      parts[at + 5] = insteadTo;
    }
  }

  /** The same of one in whose place nothing stands. */
  void add(Departure departure, int from, int to) {
    add(departure, from, to, NONE, 0, 0);
  }

  /** The kinds of all claims so far. */
  Set<Departure> kinds() {
    return kinds;
  }

  /** Number of those of the claim. */
  int count() {
    return count;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** True if one of the claim has bytes of this range. */
  boolean touches(int from, int to) {
    for (int at = 0; at < PARTS * count; at += PARTS) {
      if (parts[at + 1] < to && parts[at + 2] > from) {
        return true;
      }
    }
    return false;
  }

  /**
   * One of the claim; ranges in bytes, of the chunk as plain text.
   *
   * @param chunk where something else stands instead; negative if nothing does
   */
  record Noted(Departure departure, int from, int to, int chunk, int insteadFrom, int insteadTo) {}

  /** Those of the claim. */
  List<Noted> noted() {
    List<Noted> all = new ArrayList<>(count);
    for (int at = 0; at < PARTS * count; at += PARTS) {
      all.add(
          new Noted(
              ALL[parts[at]],
              parts[at + 1],
              parts[at + 2],
              parts[at + 3],
              parts[at + 4],
              parts[at + 5]));
    }
    return all;
  }

  List<Detail> details(Utf8Span text) {
    List<Detail> details = new ArrayList<>(count);
    for (int at = 0; at < PARTS * count; at += PARTS) {
      int chunk = parts[at + 3];
      details.add(
          new Detail(
              ALL[parts[at]],
              Excerpt.of("", text, parts[at + 1], parts[at + 2]),
              chunk == NONE
                  ? Optional.empty()
                  : Optional.of(evidence.excerpt(chunk, parts[at + 4], parts[at + 5]))));
    }
    return details;
  }
}
