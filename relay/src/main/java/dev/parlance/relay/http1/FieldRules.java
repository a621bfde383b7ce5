package dev.parlance.relay.http1;

import dev.parlance.relay.http1.FieldName.FieldKind;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Which fields belong to one connection and which go from end to end (RFC 9110 section 7.6.1). */
public final class FieldRules {
  /** Proves all that a stream has said under a pact. */
  private static final String STREAM_PROOF = "parlance-pact-proof";

  private static final Set<String> HOP_BY_HOP =
      names(
          """
          connection keep-alive proxy-connection proxy-authenticate proxy-authorization te
          trailer transfer-encoding upgrade http2-settings
          """);

  /** Naming one of these in Connection would make a proxy delete what the receiver relies on. */
  private static final Set<String> END_TO_END =
      names(
          """
          accept authorization baggage cache-control content-encoding content-length
          content-type cookie date etag expect forwarded host idempotency-key
          last-event-id location origin set-cookie traceparent tracestate
          transfer-encoding via www-authenticate
          """);

  private static final List<String> END_TO_END_PREFIXES =
      List.of("asp-", "parlance-", "a2a-", "mcp-", "x-forwarded-", "x-a2a-");

  private static final Set<String> FORBIDDEN_TRAILERS =
      names(
          """
          authorization connection content-encoding content-length content-range
          content-type cookie expect forwarded host keep-alive proxy-authorization
          set-cookie te trailer transfer-encoding upgrade
          """);

  /** A response that has no body, nor the length of one. */
  public static final int NO_CONTENT = 204;

  /** A response that has the length of the body which it stands for. */
  public static final int NOT_MODIFIED = 304;

  private FieldRules() {}

  private static Set<String> names(String text) {
    return Set.of(text.strip().split("\\s+", -1));
  }

  /** The members of all Connection fields, in lower case. */
  public static Set<String> connectionTokens(HttpHeaders headers) {
    List<String> values =
        headers instanceof HeaderFields fields
            ? fields.all(FieldKind.CONNECTION)
            : headers.getAll(HttpHeaderNames.CONNECTION);
    if (values.isEmpty()) {
      return Set.of();
    }
    Set<String> tokens = new HashSet<>();
    for (String value : values) {
      for (String token : value.split(",", -1)) {
        String name = token.strip().toLowerCase(Locale.ROOT);
        if (!name.isEmpty()) {
          tokens.add(name);
        }
      }
    }
    return tokens;
  }

  /**
   * True if a field is among those that Connection names.
   *
   * @param named names in lower case
   * @param name in any case
   */
  public static boolean isNamed(Set<String> named, String name) {
    return !named.isEmpty() && named.contains(name.toLowerCase(Locale.ROOT));
  }

  /** True if a field of this name (in lower case) belongs to one connection. */
  static boolean isOfConnection(String name) {
    return HOP_BY_HOP.contains(name);
  }

  /** True if a response of this status has no body, whatever its fields say. */
  public static boolean isBodyless(int status) {
    return status == NO_CONTENT || status == NOT_MODIFIED;
  }

  /** True if Connection may not name this field (in lower case). */
  public static boolean isEndToEnd(String name) {
    return END_TO_END.contains(name) || END_TO_END_PREFIXES.stream().anyMatch(name::startsWith);
  }

  /** True if a trailer of this name (in lower case) is an attempt on framing or identity. */
  public static boolean isForbiddenTrailer(String name) {
    return FORBIDDEN_TRAILERS.contains(name)
        || name.startsWith("asp-")
        || name.startsWith("parlance-")
        || name.startsWith("x-forwarded-");
  }

  /**
   * True if a name with {@code _} is one that stacks in the manner of CGI take for a field that
   * frames, authenticates or speaks for us: {@code Content_Length} for {@code Content-Length}.
   */
  public static boolean hasAlias(HttpHeaders headers) {
    Iterator<Map.Entry<CharSequence, CharSequence>> fields = headers.iteratorCharSequence();
    while (fields.hasNext()) {
      String name = fields.next().getKey().toString();
      if (name.indexOf('_') >= 0
          && isForbiddenTrailer(name.replace('_', '-').toLowerCase(Locale.ROOT))) {
        return true;
      }
    }
    return false;
  }

  /**
   * The trailers of an origin that may go on: not those of the connection, and none that would act
   * as a header or speak in our name, but for a code that proves itself or nothing.
   */
  public static HttpHeaders trailersOfOrigin(HttpHeaders trailers, Set<String> connectionTokens) {
    return kept(
        trailers, name -> isForbiddenTrailer(name) && !name.equals(STREAM_PROOF), connectionTokens);
  }

  /** True if the answer to a request with these fields may end in a proof. */
  static boolean wantsTrailers(HttpHeaders headers) {
    return headers.contains(STREAM_PROOF);
  }

  /** A copy of our own or passed trailers without those that would frame or act as a header. */
  public static HttpHeaders trailersToSend(HttpHeaders trailers) {
    if (trailers.isEmpty()) {
      return EmptyHttpHeaders.INSTANCE;
    }
    return kept(trailers, name -> FORBIDDEN_TRAILERS.contains(name), Set.of());
  }

  /** A copy without the fields of the connection, those that are forbidden and those named. */
  private static HeaderFields kept(
      HttpHeaders trailers, Predicate<String> forbidden, Set<String> named) {
    HeaderFields given = HeaderFields.from(trailers);
    HeaderFields kept = new HeaderFields();
    for (int i = 0; i < given.size(); i++) {
      String name = given.nameAt(i).text().toLowerCase(Locale.ROOT);
      if (!HOP_BY_HOP.contains(name) && !forbidden.test(name) && !named.contains(name)) {
        kept.addLike(given, i);
      }
    }
    return kept;
  }
}
