package dev.parlance.proxy.audit;

import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import java.util.List;
import java.util.Optional;

/**
 * One message was decided about.
 *
 * @param tsMs when, in milliseconds since the epoch
 * @param node name of the sidecar
 * @param id id of the decision, unique in this log
 * @param configRevision revision of the configuration in force
 * @param place which message of which exchange
 * @param attempt which draft of its flow this is, from 1
 * @param mode observe or enforce
 * @param judgement what the judge saw and said; empty if nobody judged the message (unjudged,
 *     released, internal error)
 * @param route where the message goes in the end
 * @param reasons why, at least one, most important first
 * @param action stable code of what the gate did, e.g. {@code forward}, {@code ask_again}, {@code
 *     refuse}, {@code hold}; in observe mode it differs from what the route asks for
 * @param reviewId id in the review queue, if the message is held or was released
 * @param traffic sizes, digest and times
 * @param stream what of a stream the verdict covers; empty for a message that was read whole
 * @param round what it had to do with a round; empty if nothing
 * @param pact the pact that it was held to; empty if none
 * @param coinage what came of what it would coin; empty if nothing
 * @param judgedBy the sidecar whose judgment of it was believed; empty if it was judged here
 */
public record DecisionEvent(
    long tsMs,
    String node,
    String id,
    String configRevision,
    Place place,
    int attempt,
    String mode,
    Optional<ReplayableVerdict> judgement,
    Route route,
    List<Reason> reasons,
    String action,
    Optional<String> reviewId,
    Traffic traffic,
    Optional<Stream> stream,
    Optional<Round> round,
    Optional<Pact> pact,
    Optional<Coinage> coinage,
    Optional<JudgedBy> judgedBy)
    implements AuditEvent {
  /** Copies the reasons; refuses a decision without id, reason or attempt. */
  public DecisionEvent {
    reasons = List.copyOf(reasons);
    if (id.isEmpty() || reasons.isEmpty() || attempt < 1) {
      throw new IllegalArgumentException(
          "a decision has an id, a reason and an attempt, got '"
              + id
              + "', "
              + reasons
              + ", "
              + attempt);
    }
  }

  /**
   * Which message of which exchange.
   *
   * @param flow flow id
   * @param trace trace id; may be empty
   * @param direction inbound or outbound
   * @param kind request or response
   * @param protocol protocol name, e.g. {@code a2a-1.0}; empty if no codec claimed it
   * @param method HTTP method
   * @param path path of the target; a query is cut off, since it may hold secrets
   * @param peer who sent the message, as far as known
   * @param routeRule name of the configured rule that matched
   */
  public record Place(
      String flow,
      String trace,
      String direction,
      String kind,
      String protocol,
      String method,
      String path,
      String peer,
      String routeRule) {
    /** Cuts the query off the path. */
    public Place {
      int query = path.indexOf('?');
      path = query < 0 ? path : path.substring(0, query);
    }
  }

  /**
   * What a verdict on a stream covers: everything that came before it.
   *
   * @param mode hold, window or observe
   * @param events events so far, 0 or more
   * @param bytes their bytes, 0 or more
   * @param heldMs how long the first of those that waited has waited, in milliseconds
   */
  public record Stream(String mode, long events, long bytes, long heldMs) {}

  /**
   * What a message had to do with a round.
   *
   * @param id name and epoch, {@code name:epoch}; empty if it could not be read
   * @param what code of a {@code RoundMetric}
   * @param result stable code of what came of it, the same as in the metric and the refusal
   * @param detail for people; may be empty
   */
  public record Round(String id, String what, String result, String detail) {}

  /**
   * What came of holding a message to a pact.
   *
   * @param id id of the pact; empty if there was none, or none was named
   * @param result {@link #KEPT}, or the code of the reason for which it did not pass as it was
   * @param detail the clause and what it says, for people; may be empty
   */
  public record Pact(String id, String result, String detail) {
    /** Nothing stands against the message. */
    public static final String KEPT = "kept";
  }

  /**
   * What came of the lines of a message that would coin, challenge or repair a term.
   *
   * @param board id of the board
   * @param lines how many there were
   * @param counted how many of them count, and were not measured
   * @param result {@code entered}, {@code left_to_peer} if the sidecar opposite brings them to the
   *     ledger, or the code of why one does not count
   */
  public record Coinage(String board, int lines, int counted, String result) {}

  /**
   * A sidecar that has judged a message in the stead of this one.
   *
   * @param node its name
   * @param decision id of the decision in its log
   */
  public record JudgedBy(String node, String decision) {}

  /**
   * Sizes, digest and times of a message. Times that do not apply are 0.
   *
   * @param status HTTP status code answered, 0 if none yet
   * @param bytesIn size of the body, without content coding
   * @param bytesOut size of the body as it was sent on; 0 if it was not
   * @param bodySha256 SHA-256 of the received body without content coding, in lower-case hex; may
   *     be empty
   * @param totalUs from the first byte received to the last sent, in microseconds
   * @param judgeUs measuring and deciding
   * @param upstreamUs waiting for the origin
   */
  public record Traffic(
      int status,
      long bytesIn,
      long bytesOut,
      String bodySha256,
      long totalUs,
      long judgeUs,
      long upstreamUs) {}
}
