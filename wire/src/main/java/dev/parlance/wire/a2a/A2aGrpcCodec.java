package dev.parlance.wire.a2a;

import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import java.util.Optional;

/**
 * A2A over gRPC, both generations, told apart by the service in the path. Requests of other
 * services and of methods that nobody knows are left unjudged, and so is gRPC-Web, whose body has a
 * shape of its own.
 */
record A2aGrpcCodec(JsonScanner.Limits limits) implements A2aCodec.Binding {
  private static final String PREFIX = "application/grpc";

  /** A frame of a message without fields. */
  private static final int EMPTY_BYTES = 5;

  @Override
  public boolean isAskedFirst() {
    return true;
  }

  @Override
  public boolean claims(RequestHead head) {
    return MediaType.of(head.fields()).essence().startsWith(PREFIX);
  }

  /** True if a body of this type is a sequence of frames that hold protobuf. */
  static boolean isGrpc(HeaderLookup fields) {
    String essence = MediaType.of(fields).essence();
    return essence.equals(PREFIX) || essence.equals(PREFIX + "+proto");
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, PlainBody body) {
    if (!isGrpc(head.fields())) {
      return new Reading.Unjudged<>("content_type");
    }
    Optional<A2aMethod.OverGrpc> called = called(head);
    return called.filter(method -> !isUnknown(method) || body.length() <= EMPTY_BYTES).isEmpty()
        ? new Reading.Unjudged<>("method")
        : A2aGrpcRequest.read(called.get(), head, body.toBytes(), limits);
  }

  /** What nobody knows the form of is its server's to refuse where it says nothing. */
  private static boolean isUnknown(A2aMethod.OverGrpc called) {
    return called.method() == A2aMethod.UNKNOWN;
  }

  /** A path with a query names no method of gRPC. */
  private static Optional<A2aMethod.OverGrpc> called(RequestHead head) {
    return head.method().equals("POST") ? A2aMethod.OverGrpc.of(head.target()) : Optional.empty();
  }

  @Override
  public Optional<Refusal> refuseUnread(
      RequestHead head, Optional<JsonDocument> body, Notice notice) {
    return claims(head)
        ? Optional.of(
            A2aGrpcRefusals.error(
                notice, called(head).filter(method -> !isUnknown(method)).isPresent()))
        : Optional.empty();
  }
}
