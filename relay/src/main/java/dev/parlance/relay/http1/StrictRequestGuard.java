package dev.parlance.relay.http1;

import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.http1.FieldName.FieldKind;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether a well-formed request head is one that everybody behind us reads alike. Pure; the
 * bytes themselves have been through {@link HeadReader}.
 */
public final class StrictRequestGuard {
  /** What became of a head. */
  public sealed interface Outcome {}

  /**
   * The head may go on.
   *
   * @param head what the handler will see, still without its body
   * @param contentLength declared length of the body; -1 if it comes in chunks
   * @param keepAlive false if the connection ends after the response
   * @param expectsContinue true if the client waits for a 100 before it sends the body
   * @param upgrade what the client wants to speak instead; only of a lenient head
   */
  public record Admitted(
      Head head,
      long contentLength,
      boolean keepAlive,
      boolean expectsContinue,
      Optional<String> upgrade)
      implements Outcome {}

  /** The head is refused. */
  public record Refused(HeadFault fault) implements Outcome, AimOutcome {}

  /** A {@link WholeRequest} that waits for its body. */
  public record Head(
      HttpMethod method,
      String target,
      String authority,
      boolean absoluteForm,
      HttpHeaders headers) {
    /** The request with its body, which belongs to it. */
    public WholeRequest with(ByteBuf body) {
      return new WholeRequest(method, target, authority, absoluteForm, headers, body);
    }
  }

  /** Where the request is to go: an origin-form target and an authority. */
  record Aim(String target, String authority, boolean absoluteForm) implements AimOutcome {}

  public static final Set<HttpMethod> BODYLESS =
      Set.of(
          HttpMethod.GET, HttpMethod.HEAD, HttpMethod.DELETE, HttpMethod.OPTIONS, HttpMethod.TRACE);

  /** What a request of HTTP/1.0 without Host is for: the server that it was sent to. */
  private static final String NO_HOST = "localhost";

  private StrictRequestGuard() {}

  /** Where a {@code CONNECT} leads that names one host and port, and has no body. */
  public static Optional<String> tunnel(HeadReader head) {
    List<String> hosts = head.fields().all(FieldKind.HOST);
    return Optional.of(head.target())
        .filter(target ->
            head.method().equals(HttpMethod.CONNECT)
                && Syntax.isAuthority(target)
                && target.lastIndexOf(':') > target.lastIndexOf(']')
                && hosts.size() <= 1
                && hosts.stream().allMatch(Syntax::isAuthority)
                && !head.chunked()
                && head.contentLength() <= 0);
  }

  /** Looks at a head that has ended; what is admitted owns its fields. */
  public static Outcome check(HeadReader head) {
    HeaderFields fields = head.fields();
    HttpMethod method = head.method();
    if (method.equals(HttpMethod.CONNECT)) {
      return refuse(405, "connect_denied", "CONNECT opens a tunnel past the gate");
    }
    Set<String> connection = FieldRules.connectionTokens(fields);
    for (String name : connection) {
      if (FieldRules.isEndToEnd(name)) {
        return refuse(400, "connection_names_end_to_end", "Connection names an end-to-end field");
      }
    }
    Optional<String> upgrade = upgrade(fields);
    if (upgrade.isPresent() && !head.isLenient()) {
      return refuse(403, "upgrade_denied", "no protocol but HTTP passes the gate");
    }
    long contentLength = head.chunked() ? -1 : Math.max(0, head.contentLength());
    if (contentLength != 0 && BODYLESS.contains(method) && !head.isLenient()) {
      return refuse(400, "body_not_allowed", "a body on " + method.name());
    }
    if (method.equals(HttpMethod.TRACE)) {
      return refuse(405, "trace_denied", "TRACE would echo what others added");
    }
    boolean expectsContinue = false;
    for (String expectation : fields.all(FieldKind.EXPECT)) {
      if (!expectation.equalsIgnoreCase("100-continue")) {
        return refuse(417, "expectation_unknown", "expected 100-continue");
      }
      expectsContinue = !head.http10() && contentLength != 0;
    }
    return switch (aim(head, fields)) {
      case Refused refused -> refused;
      case Aim aim -> {
        if (head.isLenient()) {
          fields.passOn("");
        }
        fields.keepEndToEnd(connection);
        if (!head.isLenient()) {
          // The expectation is ours to meet; the origin gets a whole request.
          fields.remove(FieldKind.EXPECT);
        }
        yield new Admitted(
            new Head(method, aim.target, aim.authority, aim.absoluteForm, fields),
            contentLength,
            head.http10()
                ? head.isLenient() && connection.contains("keep-alive")
                : !connection.contains("close"),
            expectsContinue,
            upgrade);
      }
    };
  }

  sealed interface AimOutcome permits Aim, Refused {}

  private static Optional<String> upgrade(HeaderFields fields) {
    for (String value : fields.all(FieldKind.UPGRADE)) {
      for (String offer : value.split(",", -1)) {
        // JDK clients offer h2c on every plain connection; whoever may decline need not answer.
        if (!offer.strip().toLowerCase(Locale.ROOT).equals("h2c")) {
          return Optional.of(value);
        }
      }
    }
    return Optional.empty();
  }

  private static AimOutcome aim(HeadReader head, HeaderFields fields) {
    String uri = head.target();
    List<String> hosts = fields.all(FieldKind.HOST);
    if (hosts.isEmpty() && head.http10() && head.isLenient() && uri.startsWith("/")) {
      // HTTP/1.0 has no Host, and health checks of load balancers send none.
      return Syntax.originForm(uri, true)
          .<AimOutcome>map(Refused::new)
          .orElseGet(() -> new Aim(uri, NO_HOST, false));
    }
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
    if (uri.equals("*") && head.method().equals(HttpMethod.OPTIONS)) {
      return new Aim(uri, host, false);
    }
    if (uri.startsWith("/")) {
      return Syntax.originForm(uri, head.isLenient())
          .<AimOutcome>map(Refused::new)
          .orElseGet(() -> new Aim(uri, host, false));
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
    return Syntax.originForm(target, head.isLenient())
        .<AimOutcome>map(Refused::new)
        .orElseGet(() -> new Aim(target, host, true));
  }

  public static String withoutDefaultPort(String authority) {
    String lower = authority.toLowerCase(Locale.ROOT);
    return lower.endsWith(":80") ? lower.substring(0, lower.length() - 3) : lower;
  }

  private static Refused refuse(int status, String code, String detail) {
    return new Refused(new HeadFault(status, code, detail));
  }
}
