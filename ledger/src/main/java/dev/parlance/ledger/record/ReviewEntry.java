package dev.parlance.ledger.record;

import dev.parlance.policy.core.Names;
import dev.parlance.policy.text.Coded;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A decision of persons about a message that was held beside an agent: type {@code review_decided}.
 * The text is on no ledger, its digest is. Nothing follows from it: each stands for itself, and one
 * that is told twice counts once, the first.
 *
 * @param agent id of the agent beside whose sidecar it was held
 * @param item its id in that sidecar's review queue
 * @param textSha256 SHA-256 of the text that was judged, in hex
 * @param route configured name of the route
 * @param verdict what was decided
 * @param who the persons who decided so, in order, 1 to 8
 * @param atMs when it took effect, in milliseconds since the epoch
 */
public record ReviewEntry(
    String agent,
    String item,
    String textSha256,
    String route,
    Verdict verdict,
    List<String> who,
    long atMs)
    implements Entry {
  private static final Pattern ITEM = Pattern.compile("r-[0-9a-z]{1,40}");
  private static final Pattern ROUTE = Pattern.compile("[a-z0-9-]{1,40}");

  /** Most persons. */
  private static final int MAX_WHO = 8;

  private static final int MAX_WHO_LENGTH = 200;

  /** What persons can decide. */
  public enum Verdict implements Coded {
    /** The message passes. */
    RELEASE,
    /** It is refused. */
    REJECT,
    /** It is refused, and its author is asked for another one. */
    SEND_BACK
  }

  /** Refuses ids, names and digests that are none. */
  public ReviewEntry {
    Names.checked(agent);
    Digest.checked(textSha256);
    Checks.atLeast(0, atMs, "atMs");
    who = List.copyOf(who);
    if (!ITEM.matcher(item).matches() || !ROUTE.matcher(route).matches()) {
      throw new IllegalArgumentException("expected an item and a route, got " + item);
    }
    if (who.isEmpty()
        || who.size() > MAX_WHO
        || new HashSet<>(who).size() != who.size()
        || !who.stream().allMatch(ReviewEntry::isPerson)) {
      throw new IllegalArgumentException("expected 1 to 8 persons, got " + who.size());
    }
  }

  private static boolean isPerson(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_WHO_LENGTH
        && name.chars().noneMatch(Character::isISOControl);
  }
}
