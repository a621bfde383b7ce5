package dev.parlance.proxy.admin;

import dev.parlance.service.config.HostPort;
import dev.parlance.service.config.Loopback;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One request that may come in: its host is ours and its form is right.
 *
 * @param method the method
 * @param path the path, decoded, always with a leading slash
 * @param query parameters, decoded
 * @param contentType media type of the body without parameters, lower case; empty if none is given
 * @param body the body as text
 * @param byLink whether a link alone lets it in, which names no person
 */
record AdminRequest(
    String method,
    String path,
    Map<String, List<String>> query,
    String contentType,
    String body,
    boolean byLink) {
  /** What came of looking at a request. */
  sealed interface Entry {
    /** It may come in. */
    record In(AdminRequest request) implements Entry {}

    /** It may not. */
    record Out(AdminResponse response) implements Entry {}
  }

  /** The same, let in by a link. */
  AdminRequest viaLink() {
    return new AdminRequest(method, path, query, contentType, body, true);
  }

  /** The parameter's value, if it is given once and is not empty. */
  Optional<String> parameter(String name) {
    List<String> values = query.getOrDefault(name, List.of());
    return values.size() == 1 && !values.getFirst().isEmpty()
        ? Optional.of(values.getFirst())
        : Optional.empty();
  }

  /**
   * Decides whether a request may come in at all. A page in a browser on this machine can make
   * requests to loopback: under a name of its own that resolves to 127.0.0.1 (then Host is that
   * name), or across origins (then Origin is there). Both are turned away before anything is looked
   * up.
   */
  static Entry admit(FullHttpRequest request, int ownPort) {
    if (request.decoderResult().isFailure()) {
      return out(400, "bad_request", "not HTTP/1.1");
    }
    List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
    if (hosts.size() != 1 || !isOurs(hosts.getFirst())) {
      return out(
          421,
          "bad_host",
          "expected one Host: a loopback address or localhost, such as 127.0.0.1:" + ownPort);
    }
    if (!request.method().equals(HttpMethod.GET)
        && request.headers().contains(HttpHeaderNames.ORIGIN)) {
      return out(403, "origin_refused", "requests from web pages are not taken");
    }
    String target = request.uri();
    if (!target.startsWith("/") || target.startsWith("//")) {
      return out(400, "bad_target", "expected a path");
    }
    Optional<String> body = utf8(request.content());
    if (body.isEmpty()) {
      return out(400, "bad_body", "the body is not UTF-8");
    }
    try {
      QueryStringDecoder decoder = new QueryStringDecoder(target, StandardCharsets.UTF_8, true, 16);
      return new Entry.In(
          new AdminRequest(
              request.method().name(),
              decoder.path(),
              decoder.parameters(),
              mediaType(request.headers().get(HttpHeaderNames.CONTENT_TYPE, "")),
              body.get(),
              false));
    } catch (IllegalArgumentException e) {
      return out(400, "bad_target", "expected a path and a query with valid escapes");
    }
  }

  /** With any port: whoever has this one forwarded from another machine knows it by another. */
  private static boolean isOurs(String host) {
    return HostPort.parse(host).filter(parts -> Loopback.isLoopback(parts.host())).isPresent();
  }

  private static Optional<String> utf8(ByteBuf content) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(content.nioBuffer()).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static String mediaType(String field) {
    int semicolon = field.indexOf(';');
    return (semicolon < 0 ? field : field.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
  }

  private static Entry out(int status, String code, String message) {
    return new Entry.Out(AdminResponse.error(status, code, message));
  }
}
