package dev.parlance.proxy.config;

import dev.parlance.policy.route.Grounding;
import dev.parlance.policy.route.Profile;
import dev.parlance.proxy.wire.JsonPointers;

/**
 * What happens to the messages that a route matches.
 *
 * @param name unique, {@code [a-z0-9-]{1,40}}
 * @param match which messages
 * @param codec who reads them
 * @param profile thresholds and weights they are judged with
 * @param mode whether decisions are carried out
 * @param grounding what a readable answer without evidence gets
 * @param requestGrounding what a readable request without evidence gets; most questions have none
 * @param onUnjudged what a message gets that no codec could read
 * @param onError what a message gets when the gate itself fails
 * @param metadata whether the verdict is spliced into bodies
 * @param regenerate whether the author may be asked again
 * @param json pointers for codec {@code json}
 */
public record RouteRule(
    String name,
    RouteMatch match,
    CodecChoice codec,
    Profile profile,
    Mode mode,
    Grounding grounding,
    Grounding requestGrounding,
    OnFailure onUnjudged,
    OnFailure onError,
    boolean metadata,
    boolean regenerate,
    JsonPointers json) {
  /** Name of the implicit last route. */
  public static final String DEFAULT_NAME = "default";

  /** Refuses a name that could not be a metric label. */
  public RouteRule {
    if (!isName(name)) {
      throw new IllegalArgumentException("expected a name like [a-z0-9-]{1,40}, got " + name);
    }
  }

  private static boolean isName(String name) {
    return !name.isEmpty()
        && name.length() <= 40
        && name.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-');
  }
}
