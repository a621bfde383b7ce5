package dev.parlance.console;

import dev.parlance.service.Result;
import dev.parlance.service.config.HostPort;
import dev.parlance.service.config.Loopback;
import dev.parlance.service.http.HttpReply;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.cookie.Cookie;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import java.net.URI;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One request whose host and origin are ours.
 *
 * @param method the method
 * @param path the path, decoded
 * @param query parameters, each given once
 * @param body the body as text
 * @param cookies by name
 * @param lastEventId the field of that name; empty if it is not there
 */
record ConsoleRequest(
    String method,
    String path,
    Map<String, String> query,
    String body,
    Map<String, String> cookies,
    String lastEventId) {
  /** What came of looking at a request. */
  sealed interface Admission {
    /** It may come in. */
    record In(ConsoleRequest request) implements Admission {}

    /** It may not. */
    record Out(HttpReply reply) implements Admission {}
  }

  /**
   * Decides whether a request may come in at all. A page of another site can make this browser send
   * requests here: under a name of its own that resolves to our address (then Host is that name),
   * or across origins (then Origin is that site's).
   *
   * @param url how browsers call the console; empty: by any name of loopback
   */
  static Admission admit(FullHttpRequest request, int ownPort, Optional<URI> url) {
    if (request.decoderResult().isFailure()) {
      return out(400, "bad_request", "this is not HTTP/1.1");
    }
    List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
    if (hosts.size() != 1 || !isOurs(hosts.getFirst(), ownPort, url)) {
      return out(421, "bad_host", "the console has another name; use the link that it printed");
    }
    boolean changes = !request.method().equals(HttpMethod.GET);
    String origin = request.headers().get(HttpHeaderNames.ORIGIN, "");
    String own = url.map(URI::toString).orElse("http://" + hosts.getFirst());
    boolean foreign = !origin.equals(own);
    if (foreign && (changes || !origin.isEmpty())) {
      return out(403, "origin_refused", "requests of other sites are not taken");
    }
    String target = request.uri();
    if (!target.startsWith("/") || target.startsWith("//")) {
      return out(400, "bad_request", "expected a path");
    }
    return parse(request, target);
  }

  private static Admission parse(FullHttpRequest request, String target) {
    Optional<String> body = utf8(request.content());
    if (body.isEmpty()) {
      return out(400, "bad_body", "the body is not UTF-8");
    }
    if (request.method().equals(HttpMethod.POST)
        && !mediaType(request.headers().get(HttpHeaderNames.CONTENT_TYPE, ""))
            .equals("application/json")) {
      return out(415, "unsupported_media_type", "expected application/json");
    }
    try {
      QueryStringDecoder decoder = new QueryStringDecoder(target, StandardCharsets.UTF_8, true, 16);
      return switch (once(decoder.parameters())) {
        case Result.Done<Map<String, String>>(Map<String, String> query) ->
            new Admission.In(
                new ConsoleRequest(
                    request.method().name(),
                    decoder.path(),
                    query,
                    body.get(),
                    cookies(request),
                    request.headers().get("last-event-id", "")));
        case Result.Refused<Map<String, String>>(_, String code, String message) ->
            out(400, code, message);
      };
    } catch (IllegalArgumentException _) {
      return out(400, "bad_request", "expected a path and a query with valid escapes");
    }
  }

  private static Result<Map<String, String>> once(Map<String, List<String>> parameters) {
    Map<String, String> query = new LinkedHashMap<>();
    for (Map.Entry<String, List<String>> one : parameters.entrySet()) {
      if (one.getValue().size() != 1) {
        return Result.refused(
            Result.Kind.INVALID, "bad_parameter", "each parameter stands once at most");
      }
      query.put(one.getKey(), one.getValue().getFirst());
    }
    return Result.done(query);
  }

  private static Map<String, String> cookies(FullHttpRequest request) {
    Map<String, String> all = new LinkedHashMap<>();
    for (String field : request.headers().getAll(HttpHeaderNames.COOKIE)) {
      for (Cookie cookie : ServerCookieDecoder.STRICT.decode(field)) {
        all.put(cookie.name(), cookie.value());
      }
    }
    return all;
  }

  private static boolean isOurs(String host, int ownPort, Optional<URI> url) {
    return url.map(own -> host.equalsIgnoreCase(own.getRawAuthority()))
        .orElseGet(() ->
            HostPort.parse(host)
                .filter(parts -> Loopback.isLoopback(parts.host()))
                .filter(parts -> (parts.port() < 0 ? 80 : parts.port()) == ownPort)
                .isPresent());
  }

  private static Optional<String> utf8(ByteBuf content) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(content.nioBuffer()).toString());
    } catch (CharacterCodingException _) {
      return Optional.empty();
    }
  }

  private static String mediaType(String field) {
    int semicolon = field.indexOf(';');
    return (semicolon < 0 ? field : field.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
  }

  private static Admission out(int status, String code, String title) {
    return new Admission.Out(ConsoleReply.problem(status, code, title));
  }
}
