package dev.parlance.proxy.gate;

import dev.parlance.policy.pact.NameSet;
import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactMeasured;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.wire.api.AgentProtocol;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The names that stand beside the body of a message: parameters of its query, header fields that
 * its agent sets, members of cookies and baggage, parameters in its path, and JSON in any of these,
 * as it is and decoded. Fields that HTTP, the protocols of agents, gateways and tracing have are
 * none.
 */
public final class PactBeside implements PactMeasured {
  @SuppressWarnings("StringSplitter") // on blanks, of a text of our own
  private static final Set<String> OF_HTTP =
      Set.of(
          ("accept allow age authorization cache-control connection date etag expect expires"
               + " forwarded from host if-match if-modified-since if-none-match if-range keep-alive"
               + " last-event-id last-modified link location max-forwards origin pragma prefer"
               + " priority proxy-authenticate proxy-authorization range referer retry-after server"
               + " server-timing signature signature-input strict-transport-security te trailer"
               + " transfer-encoding upgrade upgrade-insecure-requests user-agent vary via warning"
               + " www-authenticate alt-svc nel report-to dnt request-id traceparent tracestate"
               + " uber-trace-id b3 a2a-version a2a-extensions api-key idempotency-key")
              .split(" "));

  private static final List<String> BEGINNINGS =
      List.of(
          "accept-",
          "access-control-",
          "cf-",
          "content-",
          "cross-origin-",
          "grpc-",
          "l5d-",
          "mcp-",
          "openai-",
          "parlance-",
          "permissions-policy",
          "sec-",
          "x-amzn-",
          "x-api-key",
          "x-b3-",
          "x-content-type-",
          "x-envoy-",
          "x-forwarded-",
          "x-frame-",
          "x-goog-",
          "x-powered-by",
          "x-ratelimit-",
          "x-real-ip",
          "x-request-id",
          "x-stainless-");

  private final PactTerms.Leg leg;
  private List<String> names = List.of();

  /** Texts in which a name may stand in quotes. */
  private List<String> texts = List.of();

  private Optional<NamesWithin> within = Optional.empty();
  private String offender = "";

  /**
   * Reads them.
   *
   * @param target of a request, else nothing
   */
  public PactBeside(PactTerms.Leg leg, HttpHeaders headers, String target, AgentProtocol protocol) {
    this.leg = leg;
    Iterator<Map.Entry<CharSequence, CharSequence>> fields = headers.iteratorCharSequence();
    while (fields.hasNext()) {
      Map.Entry<CharSequence, CharSequence> field = fields.next();
      field(
          field.getKey().toString().toLowerCase(Locale.ROOT), // the same text if it is in it
          field.getValue().toString());
    }
    int query = target.indexOf('?');
    if (target.indexOf(';') >= 0) {
      members(query < 0 ? target : target.substring(0, query), "[;/]", "[;/]");
    }
    if (query >= 0) {
      new QueryStringDecoder(target)
          .parameters()
          .forEach((name, values) -> {
            if (!protocol.members().has(name)) {
              add(name);
            }
            values.forEach(this::json);
          });
    }
  }

  private void field(String name, String value) {
    switch (name) {
      case "cookie", "set-cookie", "baggage" -> members(value, "[;,]", ";");
      default -> {
        if (!OF_HTTP.contains(name) && !isKnownBeginning(name)) {
          add(name);
        }
        json(value);
      }
    }
  }

  /**
   * Members of a list.
   *
   * @param names what stands between two of them
   * @param values what stands between two of them and not in the value of one: JSON has commas
   */
  @SuppressWarnings("StringSplitter")
  private void members(String list, String names, String values) {
    for (String member : list.split(names, -1)) {
      int equals = member.indexOf('=');
      if (equals > 0) {
        add(decoded(member.substring(0, equals).strip()));
      }
    }
    for (String member : list.split(values, -1)) {
      int equals = member.indexOf('=');
      if (equals > 0) {
        json(decoded(unquoted(member.substring(equals + 1).strip())));
      }
    }
  }

  private static String unquoted(String value) {
    return value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
        ? value.substring(1, value.length() - 1)
        : value;
  }

  /** What is written with {@code %}; a plus stands for itself. */
  private static String decoded(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    try {
      return QueryStringDecoder.decodeComponent(text.replace("+", "%2B"));
    } catch (IllegalArgumentException notEncoded) {
      return text;
    }
  }

  private void add(String name) {
    names = names.isEmpty() ? new ArrayList<>() : names;
    names.add(name);
  }

  private static boolean isKnownBeginning(String name) {
    for (int i = 0; i < BEGINNINGS.size(); i++) {
      if (name.startsWith(BEGINNINGS.get(i))) {
        return true;
      }
    }
    return false;
  }

  private void json(String value) {
    if (value.indexOf('{') >= 0 || value.indexOf('[') >= 0) {
      NamesWithin known = within.orElseGet(NamesWithin::new);
      known.text(value, true);
      within = Optional.of(known);
    }
    if (value.indexOf(':') > 0 && (value.indexOf('"') >= 0 || value.indexOf('\'') >= 0)) {
      texts = texts.isEmpty() ? new ArrayList<>() : texts;
      texts.add(value);
    }
  }

  /** False if there is JSON of which nobody knows the names: too deep, or one of them twice. */
  public boolean isRead() {
    return within.filter(json -> !json.isRead()).isEmpty();
  }

  /** A name that was the reason for the last answer, or nothing. */
  public String offender() {
    return offender;
  }

  @Override
  public PactTerms.Leg leg() {
    return leg;
  }

  @Override
  public boolean isKnown(PactTerms.Key key) {
    return key == PactTerms.Key.FIELDS || key == PactTerms.Key.DENY_FIELDS;
  }

  @Override
  public boolean areAllAmong(PactTerms.Key key, NameSet listed) {
    return isEach(true, listed);
  }

  @Override
  public boolean isAnyAmong(PactTerms.Key key, NameSet listed) {
    return !isEach(false, listed) || isQuoted(listed);
  }

  private boolean isQuoted(NameSet listed) {
    for (String text : texts) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      if (QuotedNames.isAny(bytes, 0, bytes.length, listed)) {
        return true;
      }
    }
    return false;
  }

  private boolean isEach(boolean has, NameSet listed) {
    for (String name : names) {
      if (listed.has(name) != has) {
        offender = name;
        return false;
      }
    }
    String broken = within.map(json -> json.broken(has, listed)).orElse("");
    offender = broken.isEmpty() ? offender : broken;
    return broken.isEmpty();
  }

  @Override
  public double number(PactTerms.Key key) {
    throw new IllegalArgumentException(key + " is of a body");
  }

  @Override
  public String text(PactTerms.Key key) {
    throw new IllegalArgumentException(key + " is of a body");
  }

  @Override
  public PactCheck.Outcome met(PactTerms.Key key, String value) {
    return PactCheck.Outcome.UNMEASURED;
  }
}
