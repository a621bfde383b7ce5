package dev.parlance.proxy.exchange.body;

import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.wire.api.RoundStatus;
import dev.parlance.wire.api.VerdictHeader;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The header fields in which a verdict travels beside a message. Only sidecars may assert them:
 * what an agent writes itself is taken off and counted (FAULTS S1).
 */
public final class VerdictFields {
  /** The ASP header text, exactly the paper's grammar. */
  public static final AsciiString SIGNAL = AsciiString.cached("ASP-Signal");

  /** Route code. */
  public static final AsciiString ROUTE = AsciiString.cached("Parlance-Route");

  /** Reason codes, comma-separated, most important first. */
  public static final AsciiString REASON = AsciiString.cached("Parlance-Reason");

  /** Id under which the decision log holds the decision. */
  public static final AsciiString DECISION = AsciiString.cached("Parlance-Decision");

  /** Present with the value {@code observe} where nothing is enforced. */
  public static final AsciiString MODE = AsciiString.cached("Parlance-Mode");

  /** Id in the review queue of what is held; in a request, of what is to be collected. */
  public static final AsciiString REVIEW = AsciiString.cached("Parlance-Review");

  /** The agent beside the sidecar that asks, for the sidecar opposite. */
  public static final AsciiString AGENT = AsciiString.cached("Parlance-Agent");

  /** State of the round that an exchange has to do with. */
  public static final String ROUND = "Parlance-Round";

  /** What may stand behind the body of a stream, as its head announces it. */
  public static final String TRAILERS =
      SIGNAL + ", " + ROUTE + ", " + REASON + ", " + DECISION + ", " + ROUND;

  private static final List<AsciiString> OF_EXACT_BYTES =
      Stream.of("ETag", "Content-MD5", "Content-Digest", "Repr-Digest", "Digest")
          .map(AsciiString::cached)
          .toList();

  private VerdictFields() {}

  /** Takes every {@code asp-*} and {@code parlance-*} field off and says how many there were. */
  public static int strip(HttpHeaders headers) {
    int forged = 0;
    Iterator<Map.Entry<CharSequence, CharSequence>> fields = headers.iteratorCharSequence();
    while (fields.hasNext()) {
      forged += isOurs(fields.next().getKey()) ? 1 : 0;
    }
    if (forged > 0) {
      keepTheirs(headers);
    }
    return forged;
  }

  /** All at once: one by one would be the square of as many as a peer may send. */
  private static void keepTheirs(HttpHeaders headers) {
    List<Map.Entry<String, String>> all = headers.entries();
    headers.clear();
    for (Map.Entry<String, String> field : all) {
      if (!isOurs(field.getKey())) {
        headers.add(field.getKey(), field.getValue());
      }
    }
  }

  /** Writes the verdict; {@link #strip} comes first. */
  public static void write(HttpHeaders headers, VerdictHeader verdict) {
    if (verdict.measured().header().isPresent()) {
      headers.set(SIGNAL, verdict.measured().header().get());
    }
    headers.set(ROUTE, verdict.route());
    headers.set(REASON, reasons(verdict));
    headers.set(DECISION, verdict.decisionId());
    if ("observe".equals(verdict.basis().mode())) {
      headers.set(MODE, "observe");
    }
    if (verdict.round().isPresent()) {
      writeRound(headers, verdict.round().get());
    }
  }

  private static String reasons(VerdictHeader verdict) {
    List<String> reasons = verdict.reasons();
    return reasons.size() == 1 ? reasons.getFirst() : String.join(", ", reasons);
  }

  /**
   * Fields that speak about the exact bytes of a body, which is no longer the one they speak about.
   */
  public static void bodyChanged(HttpHeaders headers) {
    for (AsciiString name : OF_EXACT_BYTES) {
      headers.remove(name);
    }
  }

  /** With {@code _} too: some agents read it as {@code -}. */
  private static boolean isOurs(CharSequence name) {
    return startsWith(name, "asp") || startsWith(name, "parlance");
  }

  private static boolean startsWith(CharSequence name, String prefix) {
    int behind = prefix.length();
    return name.length() > behind
        && (name.charAt(behind) == '-' || name.charAt(behind) == '_')
        && AsciiString.regionMatchesAscii(name, true, 0, prefix, 0, behind);
  }

  /**
   * Writes the state of a round beside an answer: {@code ROUND:EPOCH; state=..}, and of one that
   * has ended {@code outcome=..; reason=..} or {@code outcome=..; digest=..}. Every value is a name
   * and needs no quotes; one that is none is left out.
   */
  public static void writeRound(HttpHeaders headers, RoundStatus status) {
    StringBuilder field = new StringBuilder(status.id().bound());
    parameter(field, "state", Optional.of(status.state()));
    status
        .ended()
        .ifPresent(ended -> {
          parameter(field, "outcome", Optional.of(ended.kind()));
          parameter(field, "reason", ended.reason());
          parameter(field, "digest", ended.digest());
        });
    headers.set(ROUND, field.toString());
  }

  private static void parameter(StringBuilder field, String name, Optional<String> value) {
    value
        .filter(RoundNames::isName)
        .ifPresent(text -> field.append("; ").append(name).append('=').append(text));
  }
}
