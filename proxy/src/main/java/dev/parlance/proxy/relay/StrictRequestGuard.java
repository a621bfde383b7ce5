package dev.parlance.proxy.relay;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether a well-formed request head is one that everybody behind us reads alike. Pure; the
 * bytes themselves have been through {@link HeadScanner}.
 */
final class StrictRequestGuard {
  /** What became of a head. */
  sealed interface Outcome {}

  /**
   * The head may go on.
   *
   * @param head what the handler will see, still without its body
   * @param contentLength declared length of the body; -1 if it comes in chunks
   * @param keepAlive false if the connection ends after the response
   * @param expectsContinue true if the client waits for a 100 before it sends the body
   */
  record Admitted(Head head, long contentLength, boolean keepAlive, boolean expectsContinue)
      implements Outcome {}

  /** The head is refused. */
  record Refused(HeadFault fault) implements Outcome, AimOutcome {}

  /** A {@link WholeRequest} that waits for its body. */
  record Head(
      HttpMethod method,
      String target,
      String authority,
      boolean absoluteForm,
      HttpHeaders headers) {}

  /** Where the request wants to go: an origin-form target and an authority. */
  record Aim(String target, String authority, boolean absoluteForm) {}

  static final Set<HttpMethod> BODYLESS =
      Set.of(
          HttpMethod.GET, HttpMethod.HEAD, HttpMethod.DELETE, HttpMethod.OPTIONS, HttpMethod.TRACE);

  private StrictRequestGuard() {}

  static Outcome check(HttpRequest request) {
    HttpHeaders headers = request.headers();
    boolean http10 = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
    if (request.method().equals(HttpMethod.CONNECT)) {
      return refuse(405, "connect_denied", "CONNECT opens a tunnel past the gate");
    }
    List<String> connection = FieldRules.connectionTokens(headers);
    for (String name : connection) {
      if (FieldRules.isEndToEnd(name)) {
        return refuse(400, "connection_names_end_to_end", "Connection names an end-to-end field");
      }
    }
    Optional<HeadFault> upgrade = upgrade(headers);
    if (upgrade.isPresent()) {
      return new Refused(upgrade.get());
    }
    boolean chunked = headers.contains(HttpHeaderNames.TRANSFER_ENCODING);
    String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
    long contentLength = chunked ? -1 : length == null ? 0 : Long.parseLong(length);
    if (contentLength != 0 && BODYLESS.contains(request.method())) {
      return refuse(400, "body_not_allowed", "a body on " + request.method().name());
    }
    if (request.method().equals(HttpMethod.TRACE)) {
      return refuse(405, "trace_denied", "TRACE would echo what others added");
    }
    boolean expectsContinue = false;
    for (String expectation : headers.getAll(HttpHeaderNames.EXPECT)) {
      if (!expectation.equalsIgnoreCase("100-continue")) {
        return refuse(417, "expectation_unknown", "expected 100-continue");
      }
      expectsContinue = !http10 && contentLength != 0;
    }
    return switch (aim(request)) {
      case Refused refused -> refused;
      case Aimed(Aim aim) -> {
        HttpHeaders endToEnd = FieldRules.endToEnd(headers, connection);
        // The expectation is ours to meet; the origin gets a whole request.
        endToEnd.remove(HttpHeaderNames.EXPECT);
        yield new Admitted(
            new Head(request.method(), aim.target, aim.authority, aim.absoluteForm, endToEnd),
            contentLength,
            !http10 && !connection.contains("close"),
            expectsContinue);
      }
    };
  }

  sealed interface AimOutcome permits Aimed, Refused {}

  record Aimed(Aim aim) implements AimOutcome {}

  private static Optional<HeadFault> upgrade(HttpHeaders headers) {
    for (String value : headers.getAll(HttpHeaderNames.UPGRADE)) {
      for (String offer : value.split(",", -1)) {
        // JDK clients offer h2c on every plain connection; whoever may decline need not answer.
        if (!offer.strip().toLowerCase(Locale.ROOT).equals("h2c")) {
          return Optional.of(
              new HeadFault(403, "upgrade_denied", "no protocol but HTTP passes the gate"));
        }
      }
    }
    return Optional.empty();
  }

  private static AimOutcome aim(HttpRequest request) {
    List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
    if (hosts.isEmpty()) {
      return refuse(400, "host_missing", "expected one Host");
    }
    if (hosts.size() > 1) {
      return refuse(400, "host_repeated", "expected one Host");
    }
    String host = hosts.getFirst();
    if (!Syntax.isAuthority(host)) {
      return refuse(400, "host_malformed", "expected host or host:port in Host");
    }
    String uri = request.uri();
    if (uri.startsWith("/")) {
      return Syntax.originForm(uri)
          .<AimOutcome>map(Refused::new)
          .orElseGet(() -> new Aimed(new Aim(uri, host, false)));
    }
    if (!uri.regionMatches(true, 0, "http://", 0, 7)) {
      return refuse(400, "target_form", "expected a path or an http:// address");
    }
    int end = 7;
    while (end < uri.length() && "/?#\\".indexOf(uri.charAt(end)) < 0) {
      end++;
    }
    String authority = uri.substring(7, end);
    if (!Syntax.isAuthority(authority)) {
      return refuse(400, "target_authority", "expected host or host:port in the target");
    }
    if (!withoutDefaultPort(authority).equals(withoutDefaultPort(host))) {
      return refuse(400, "host_disagrees", "Host differs from the authority of the target");
    }
    String rest = uri.substring(end);
    String target = rest.startsWith("/") ? rest : "/" + rest;
    return Syntax.originForm(target)
        .<AimOutcome>map(Refused::new)
        .orElseGet(() -> new Aimed(new Aim(target, host, true)));
  }

  static String withoutDefaultPort(String authority) {
    String lower = authority.toLowerCase(Locale.ROOT);
    return lower.endsWith(":80") ? lower.substring(0, lower.length() - 3) : lower;
  }

  private static Refused refuse(int status, String code, String detail) {
    return new Refused(new HeadFault(status, code, detail));
  }
}
