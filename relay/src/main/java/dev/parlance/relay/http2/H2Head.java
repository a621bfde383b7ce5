package dev.parlance.relay.http2;

import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.http1.FieldName;
import dev.parlance.relay.http1.FieldName.FieldKind;
import dev.parlance.relay.http1.FieldRules;
import dev.parlance.relay.http1.HeaderFields;
import dev.parlance.relay.http1.MessageWriter;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Makes the header blocks that we send. What is given has been checked where it came in. */
public final class H2Head {
  private static final String CONTENT_LENGTH = "content-length";
  private static final int OK = 200;

  /** What a field counts beside its name and its value (RFC 9113, section 6.5.2). */
  private static final int ENTRY_OVERHEAD = 32;

  private H2Head() {}

  /**
   * The head of a response that is whole.
   *
   * @param toHead true if it answers a HEAD
   */
  public static Http2Headers response(WholeResponse response, boolean toHead) {
    int status = response.status();
    H2Fields head = bare(status, response.headers());
    int bytes = response.body().readableBytes();
    if (toHead || status == FieldRules.NOT_MODIFIED) {
      String declared = response.headers().get(HttpHeaderNames.CONTENT_LENGTH);
      if (declared != null) {
        head.add(CONTENT_LENGTH, declared);
      } else if (bytes > 0 && status != FieldRules.NOT_MODIFIED) {
        head.add(CONTENT_LENGTH, Integer.toString(bytes));
      }
    } else if (bytes > 0 && status != FieldRules.NO_CONTENT && response.trailers().isEmpty()) {
      head.add(CONTENT_LENGTH, Integer.toString(bytes));
    }
    return head;
  }

  /** The head of a response whose body follows piece by piece. */
  public static H2Fields begin(int status, HttpHeaders headers) {
    H2Fields head = bare(status, headers);
    String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
    if (length != null && status != FieldRules.NO_CONTENT) {
      head.add(CONTENT_LENGTH, length);
    }
    return head;
  }

  private static H2Fields bare(int status, HttpHeaders headers) {
    H2Fields head = new H2Fields();
    head.add(":status", status == OK ? "200" : Integer.toString(status));
    HeaderFields fields = HeaderFields.from(headers);
    addEndToEnd(fields, head);
    if (!fields.has(FieldKind.DATE)) {
      head.add("date", MessageWriter.dateNow());
    }
    return head;
  }

  /** A response that is followed by others on the same stream. */
  public static H2Fields interim(int status, HttpHeaders headers) {
    H2Fields head = new H2Fields();
    head.add(":status", Integer.toString(status));
    addEndToEnd(HeaderFields.from(headers), head);
    return head;
  }

  /** The head of a request that is whole. */
  public static Http2Headers request(WholeRequest request) {
    int bytes = request.body().readableBytes();
    boolean told = bytes > 0 || MessageWriter.BODY_EXPECTED.contains(request.method());
    return request(request, !request.isGrpc() && told ? bytes : -1);
  }

  /**
   * The head of a request.
   *
   * @param length that it tells of its body; -1 for none
   */
  public static Http2Headers request(WholeRequest request, long length) {
    H2Fields head = new H2Fields();
    String method = request.method().name();
    head.add(":method", method);
    head.add(":scheme", "http");
    head.add(":authority", HeaderFields.latin(request.authority()));
    head.add(":path", HeaderFields.latin(request.target()));
    HeaderFields fields = HeaderFields.from(request.headers());
    addEndToEnd(fields, head);
    if (length >= 0) {
      head.add(CONTENT_LENGTH, Long.toString(length));
    }
    if (request.isGrpc() || fields.takesTrailers()) {
      head.add("te", "trailers");
    }
    return head;
  }

  /**
   * Fields behind a body.
   *
   * @param maxListBytes most that the peer takes; where they are more, the longest stay behind: a
   *     peer that gets the status of a call without its details knows more than one that gets none
   */
  public static Http2Headers trailers(HttpHeaders trailers, long maxListBytes) {
    H2Fields block = new H2Fields();
    addEndToEnd(
        fitting(HeaderFields.from(FieldRules.trailersToSend(trailers)), maxListBytes), block);
    return block;
  }

  private static HeaderFields fitting(HeaderFields fields, long maxListBytes) {
    List<Map.Entry<String, String>> all = fields.entries();
    long bytes = all.stream().mapToLong(H2Head::listBytes).sum();
    if (bytes <= maxListBytes) {
      return fields;
    }
    // Sorted once: to look for the longest each time takes the square of as many as there are.
    List<Map.Entry<String, String>> longestFirst = new ArrayList<>(all);
    longestFirst.sort(Comparator.comparingInt(field -> -field.getValue().length()));
    Set<Map.Entry<String, String>> dropped = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; bytes > maxListBytes; i++) {
      bytes -= listBytes(longestFirst.get(i));
      dropped.add(longestFirst.get(i));
    }
    HeaderFields fitting = new HeaderFields();
    all.stream()
        .filter(field -> !dropped.contains(field))
        .forEach(field -> fitting.add(field.getKey(), field.getValue()));
    return fitting;
  }

  private static long listBytes(Map.Entry<String, String> field) {
    return (long) field.getKey().length() + field.getValue().length() + ENTRY_OVERHEAD;
  }

  private static void addEndToEnd(HeaderFields from, H2Fields to) {
    boolean request = to.contains(":method");
    Set<String> connection = FieldRules.connectionTokens(from);
    for (int i = 0; i < from.size(); i++) {
      FieldName name = from.nameAt(i);
      FieldKind kind = name.kind();
      boolean said = request && (kind == FieldKind.HOST || kind == FieldKind.EXPECT);
      if (kind.passesOn() && !said && !FieldRules.isNamed(connection, name.text())) {
        to.add(name.text().toLowerCase(Locale.ROOT), from.valueAt(i));
      }
    }
  }

  private static final int DEADLINE_EXCEEDED = 4;
  private static final int RESOURCE_EXHAUSTED = 8;
  private static final int UNIMPLEMENTED = 12;
  private static final int INTERNAL = 13;
  private static final int UNAVAILABLE = 14;

  /**
   * The gRPC form of a response to a rejected request.
   *
   * @param plain what another client would get; its body is released, its other fields are kept
   */
  public static WholeResponse grpcRejection(Rejection rejection, WholeResponse plain) {
    HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
    headers.set(plain.headers());
    headers.remove(HttpHeaderNames.CONTENT_LENGTH);
    headers.set(HttpHeaderNames.CONTENT_TYPE, "application/grpc");
    headers.set("grpc-status", Integer.toString(grpcStatus(rejection.status())));
    headers.set("grpc-message", rejection.code() + ": " + rejection.detail().replace('%', ' '));
    plain.body().release();
    return new WholeResponse(200, headers, Unpooled.EMPTY_BUFFER);
  }

  private static int grpcStatus(int status) {
    return switch (status) {
      case 405 -> UNIMPLEMENTED;
      case 408 -> DEADLINE_EXCEEDED;
      case 413, 414, 431 -> RESOURCE_EXHAUSTED;
      case 503 -> UNAVAILABLE;
      default -> INTERNAL;
    };
  }
}
