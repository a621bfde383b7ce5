package dev.parlance.proxy.gate;

import dev.parlance.policy.pact.NameSet;
import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactMeasured;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The names that stand beside the body of a message: parameters of its query, header fields that
 * its agent sets, members of cookies and baggage, parameters in its path, and JSON in any of these.
 * Fields that HTTP, the protocols of agents, gateways and tracing have are none.
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
      members(query < 0 ? target : target.substring(0, query), "[;/]");
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
      case "cookie", "set-cookie", "baggage" -> {
        members(value, "[;,]");
      }
      default -> {
        if (!OF_HTTP.contains(name) && !isKnownBeginning(name)) {
          add(name);
        }
        json(value);
      }
    }
  }

  @SuppressWarnings("StringSplitter")
  private void members(String value, String between) {
    for (String member : value.split(between, -1)) {
      int equals = member.indexOf('=');
      if (equals > 0) {
        add(member.substring(0, equals).strip());
        json(member.substring(equals + 1));
      }
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
    String bare = value.strip();
    if ((bare.startsWith("{") || bare.startsWith("["))
        && JsonScanner.scan(bare.getBytes(StandardCharsets.UTF_8), JsonScanner.Limits.DEFAULT)
            instanceof JsonScanner.Scanned(JsonDocument inner)) {
      for (int node = inner.root(); node < inner.nodes(); node++) {
        if (inner.isName(node)) {
          add(inner.string(node));
        } else if (inner.isString(node)) {
          json(inner.string(node));
        }
      }
    }
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
    return !isEach(false, listed);
  }

  private boolean isEach(boolean has, NameSet listed) {
    for (String name : names) {
      if (listed.has(name) != has) {
        offender = name;
        return false;
      }
    }
    return true;
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
