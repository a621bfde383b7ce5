package dev.parlance.relay.http2;

import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.http1.FieldName;
import dev.parlance.relay.http1.FieldName.FieldKind;
import dev.parlance.relay.http1.HeadFault;
import dev.parlance.relay.http1.HeadReader;
import dev.parlance.relay.http1.HeadScratch;
import dev.parlance.relay.http1.HeaderFields;
import dev.parlance.relay.http1.StrictRequestGuard;
import dev.parlance.relay.http1.Syntax;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the fields of an HTTP/2 request are a request that everybody behind us reads
 * alike, and makes of them the same head that HTTP/1.1 gives. Pure.
 */
public final class H2RequestGuard {
  /** What became of a block of fields. */
  public sealed interface Outcome {}

  /**
   * The head may go on.
   *
   * @param contentLength declared length of the body; -1 if none was declared
   * @param expectsContinue true if the client waits for a 100 before it sends the body
   */
  public record Admitted(StrictRequestGuard.Head head, long contentLength, boolean expectsContinue)
      implements Outcome {}

  /** Not HTTP/2: the stream is reset, and nobody reads any of it. */
  public record Malformed(HeadFault fault) implements Outcome, AuthorityOutcome {}

  /**
   * Well-formed, but not let through: answered with the status of the fault.
   *
   * @param head as far as there is one, to answer in the form that the client expects
   */
  public record Refused(HeadFault fault, StrictRequestGuard.Head head)
      implements Outcome, AuthorityOutcome {}

  private static final List<String> PSEUDO_FIELDS =
      List.of(":method", ":scheme", ":authority", ":path");

  private H2RequestGuard() {}

  /**
   * Looks at a block of fields.
   *
   * @param lenient whether odd heads are let through, as over HTTP/1.1
   */
  public static Outcome check(
      H2Fields fields, boolean endStream, HttpMessageLimits limits, boolean lenient) {
    Optional<HeadFault> fault = H2FieldRules.fault(fields).or(() -> pseudoFault(fields));
    if (fault.isPresent()) {
      return new Malformed(fault.get());
    }
    String method = text(fields.method());
    String path = text(fields.path());
    HeaderFields headers = headers(fields);
    StrictRequestGuard.Head bare =
        new StrictRequestGuard.Head(HttpMethod.valueOf(method), path, "", false, headers);
    if (method.equals("CONNECT")) {
      return connect(fields, bare);
    }
    if (fields.scheme() == null) {
      return malformed("scheme_missing", "expected :scheme");
    }
    if (fields.path() == null) {
      return malformed("path_missing", "expected :path");
    }
    String scheme = text(fields.scheme());
    if (!scheme.equals("http") && !scheme.equals("https")) {
      return malformed("scheme_unknown", "expected http or https for :scheme");
    }
    if (!path.startsWith("/") && !(path.equals("*") && method.equals("OPTIONS"))) {
      return malformed("path_malformed", "expected a :path that begins with /");
    }
    return switch (authority(fields, bare)) {
      case Malformed malformed -> malformed;
      case Refused refused -> refused;
      case Authority(String authority) -> {
        headers.setHost(authority);
        yield length(
            new StrictRequestGuard.Head(
                HttpMethod.valueOf(method), path, authority, false, headers),
            fields,
            endStream,
            limits,
            lenient);
      }
    };
  }

  sealed interface AuthorityOutcome permits Authority, Malformed, Refused {}

  record Authority(String text) implements AuthorityOutcome {}

  private static Optional<HeadFault> pseudoFault(H2Fields fields) {
    int seen = 0;
    for (int i = 0; i < fields.size(); i++) {
      CharSequence name = fields.nameAt(i);
      if (H2Fields.isPseudo(name)) {
        int which = PSEUDO_FIELDS.indexOf(name.toString());
        if (which < 0) {
          return HeadFault.fault("pseudo_unknown", "a pseudo-field that a request does not have");
        }
        if ((seen & 1 << which) != 0) {
          return HeadFault.fault("pseudo_repeated", "a pseudo-field twice");
        }
        seen |= 1 << which;
      }
    }
    CharSequence method = fields.method();
    if (method == null || method.isEmpty()) {
      return HeadFault.fault("method_missing", "expected :method");
    }
    for (int i = 0; i < method.length(); i++) {
      if (!Syntax.isTokenChar(method.charAt(i))) {
        return HeadFault.fault("method_malformed", "expected a token for :method");
      }
    }
    return Optional.empty();
  }

  private static Outcome connect(H2Fields fields, StrictRequestGuard.Head head) {
    if (fields.scheme() != null || fields.path() != null) {
      return malformed("connect_malformed", "CONNECT has neither :scheme nor :path");
    }
    if (fields.authority() == null) {
      return malformed("connect_malformed", "CONNECT needs :authority");
    }
    return refused(head, 405, "connect_denied", "CONNECT opens a tunnel past the gate");
  }

  private static AuthorityOutcome authority(H2Fields fields, StrictRequestGuard.Head head) {
    List<String> hosts = head.headers().getAll(HttpHeaderNames.HOST);
    if (hosts.size() > 1) {
      return malformed("host_repeated", "expected at most one host");
    }
    boolean named = fields.authority() != null && !fields.authority().isEmpty();
    if (!named && hosts.isEmpty()) {
      return refused(head, 400, "host_missing", "expected :authority or host");
    }
    String authority = named ? text(fields.authority()) : hosts.getFirst();
    if (!Syntax.isAuthority(authority)) {
      return malformed("authority_malformed", "expected host or host:port in :authority");
    }
    if (!hosts.isEmpty()
        && !StrictRequestGuard.withoutDefaultPort(hosts.getFirst())
            .equals(StrictRequestGuard.withoutDefaultPort(authority))) {
      return malformed("host_disagrees", "host differs from :authority");
    }
    return new Authority(authority);
  }

  private static Outcome length(
      StrictRequestGuard.Head head,
      H2Fields fields,
      boolean endStream,
      HttpMessageLimits limits,
      boolean lenient) {
    List<CharSequence> lengths = fields.contentLengths();
    long contentLength = -1;
    if (lengths.size() > 1) {
      return malformed("content_length_repeated", "expected one content-length");
    }
    if (lengths.size() == 1) {
      contentLength = H2FieldRules.length(lengths.getFirst());
      if (contentLength < 0) {
        return malformed("content_length_malformed", "expected decimal digits");
      }
    }
    if (endStream && contentLength > 0) {
      return malformed("content_length_mismatch", "a length without a body");
    }
    return policy(head, contentLength, fields, limits, lenient);
  }

  /** What HTTP/1.1 is refused for as well. */
  private static Outcome policy(
      StrictRequestGuard.Head head,
      long contentLength,
      H2Fields fields,
      HttpMessageLimits limits,
      boolean lenient) {
    int lineBytes = head.method().name().length() + head.target().length() + 10;
    if (lineBytes > limits.requestLineBytes() && !lenient) {
      return refused(head, 414, "request_line_too_long", "method and target are over the limit");
    }
    if (contentLength > 0 && StrictRequestGuard.BODYLESS.contains(head.method()) && !lenient) {
      return refused(head, 400, "body_not_allowed", "a body on " + head.method().name());
    }
    if (head.method().equals(HttpMethod.TRACE)) {
      return refused(head, 405, "trace_denied", "TRACE would echo what others added");
    }
    Optional<HeadFault> fault =
        Optional.of(head.target())
            .filter(target -> !target.equals("*"))
            .flatMap(target -> Syntax.originForm(target, lenient))
            .or(() -> fieldFault(fields, lenient));
    if (fault.isPresent()) {
      return new Refused(fault.get(), head);
    }
    boolean expectsContinue = false;
    for (String expectation : head.headers().getAll(HttpHeaderNames.EXPECT)) {
      if (!expectation.equalsIgnoreCase("100-continue")) {
        return refused(head, 417, "expectation_unknown", "expected 100-continue");
      }
      expectsContinue = true;
    }
    head.headers().remove(HttpHeaderNames.EXPECT);
    return new Admitted(head, contentLength, expectsContinue);
  }

  private static Optional<HeadFault> fieldFault(H2Fields fields, boolean lenient) {
    if (fields.size() > HeadReader.MAX_FIELDS) {
      return Optional.of(HeadFault.fieldsTooLarge());
    }
    for (int at = 0; at < fields.size() && !lenient; at++) {
      CharSequence value = fields.valueAt(at);
      for (int i = 0; i < value.length(); i++) {
        if (value.charAt(i) > 0x7e) {
          return HeadFault.fault("non_ascii", "a byte that is not ASCII; expected ASCII");
        }
      }
    }
    return Optional.empty();
  }

  /** The end-to-end fields; the crumbs of cookies become one field again (section 8.2.3). */
  private static HeaderFields headers(H2Fields fields) {
    HeaderFields headers = new HeaderFields();
    StringBuilder cookie = new StringBuilder();
    HeadScratch scratch = HeadScratch.get();
    for (int i = 0; i < fields.size(); i++) {
      if (H2Fields.isPseudo(fields.nameAt(i))) {
        continue;
      }
      FieldName name = scratch.checkedName(fields.nameAt(i).toString());
      if (name.text().equals("cookie")) {
        cookie.append(cookie.isEmpty() ? "" : "; ").append(fields.valueAt(i));
      } else if (name.kind() == FieldKind.TE || name.kind().passesOn()) {
        // H2FieldRules has looked at both; what is not ASCII is refused after this.
        headers.addChecked(name, HeaderFields.latin(fields.valueAt(i).toString()));
      }
    }
    if (!cookie.isEmpty()) {
      headers.set(HttpHeaderNames.COOKIE, cookie.toString());
    }
    return headers;
  }

  private static String text(@Nullable CharSequence value) {
    return value == null ? "" : value.toString();
  }

  private static Malformed malformed(String code, String detail) {
    return new Malformed(HeadFault.bad(code, detail));
  }

  private static Refused refused(
      StrictRequestGuard.Head head, int status, String code, String detail) {
    return new Refused(new HeadFault(status, code, detail), head);
  }
}
