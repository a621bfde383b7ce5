package dev.parlance.proxy.act;

import dev.parlance.proxy.wire.Annotation;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The header fields in which a verdict travels beside a message. Only sidecars may assert them:
 * what an agent writes itself is taken off and counted (FAULTS S1).
 */
final class VerdictFields {
  /** The ASP header text, exactly the paper's grammar. */
  static final String SIGNAL = "ASP-Signal";

  /** Route code. */
  static final String ROUTE = "Parlance-Route";

  /** Reason codes, comma-separated, most important first. */
  static final String REASON = "Parlance-Reason";

  /** Id under which the decision log holds the decision. */
  static final String DECISION = "Parlance-Decision";

  /** Present with the value {@code observe} where nothing is enforced. */
  static final String MODE = "Parlance-Mode";

  /** What may stand behind the body of a stream, as its head announces it. */
  static final String TRAILERS =
      SIGNAL + ", " + ROUTE + ", " + REASON + ", " + DECISION + ", " + RoundField.NAME;

  private VerdictFields() {}

  /** Takes every {@code asp-*} and {@code parlance-*} field off and says how many there were. */
  static int strip(HttpHeaders headers) {
    List<String> forged = new ArrayList<>(0);
    for (Map.Entry<String, String> field : headers) {
      if (isOurs(field.getKey())) {
        forged.add(field.getKey());
      }
    }
    forged.forEach(headers::remove);
    return forged.size();
  }

  /** Writes the verdict; {@link #strip} comes first. */
  static void write(HttpHeaders headers, Annotation verdict) {
    verdict.header().ifPresent(text -> headers.set(SIGNAL, text));
    headers.set(ROUTE, verdict.route());
    headers.set(REASON, String.join(", ", verdict.reasons()));
    headers.set(DECISION, verdict.decisionId());
    if ("observe".equals(verdict.mode())) {
      headers.set(MODE, "observe");
    }
    verdict.round().ifPresent(status -> RoundField.write(headers, status));
  }

  /**
   * Fields that speak about the exact bytes of a body, which is no longer the one they speak about.
   */
  static void bodyChanged(HttpHeaders headers) {
    headers.remove(HttpHeaderNames.ETAG);
    headers.remove("Content-MD5");
    headers.remove("Content-Digest");
    headers.remove("Repr-Digest");
    headers.remove("Digest");
  }

  private static boolean isOurs(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.startsWith("asp-") || lower.startsWith("parlance-");
  }
}
