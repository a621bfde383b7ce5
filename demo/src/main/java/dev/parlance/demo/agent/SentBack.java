package dev.parlance.demo.agent;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import io.a2a.spec.JSONRPCError;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A message that a sidecar sent back to its author: an error whose details hold the verdict and
 * what to change. JSON-RPC has them in the error's data, gRPC in a trailer.
 */
final class SentBack {
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private SentBack() {}

  /** What the sidecar said; empty if the call failed for another reason. */
  static Optional<AgentReply> in(Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof JSONRPCError error && error.getData() instanceof List<?> details) {
        return details.stream().flatMap(detail -> in(error, detail).stream()).findFirst();
      }
      if (cause instanceof StatusRuntimeException error && error.getTrailers() != null) {
        byte[] details = error.getTrailers().get(DETAILS);
        return details == null ? Optional.empty() : in(details);
      }
    }
    return Optional.empty();
  }

  private static Optional<AgentReply> in(JSONRPCError error, Object detail) {
    return detail instanceof Map<?, ?> struct
            && struct.get("value") instanceof Map<?, ?> value
            && value.get("verdict") instanceof Map<?, ?> verdict
        ? Optional.of(
            new AgentReply.Withheld(
                String.valueOf(error.getMessage()),
                "error",
                ReceivedVerdict.of(verdict, Optional.empty()),
                value.get("repair") instanceof String repair
                    ? Optional.of(repair)
                    : Optional.empty()))
        : Optional.empty();
  }

  private static Optional<AgentReply> in(byte[] details) {
    try {
      Status status = Status.parseFrom(details);
      for (Any detail : status.getDetailsList()) {
        if (detail.is(ErrorInfo.class)) {
          return in(status.getMessage(), detail.unpack(ErrorInfo.class).getMetadataMap());
        }
      }
      return Optional.empty();
    } catch (InvalidProtocolBufferException e) {
      // Details of another kind say nothing here; the caller goes by the error itself.
      return Optional.empty();
    }
  }

  private static Optional<AgentReply> in(String message, Map<String, String> info) {
    Optional<String> route = Optional.ofNullable(info.get("route"));
    return route.map(taken ->
        new AgentReply.Withheld(
            message,
            "error",
            new ReceivedVerdict(
                Optional.ofNullable(info.get("header")),
                OptionalDouble.empty(),
                Optional.of(taken),
                Optional.ofNullable(info.get("code")).map(List::of).orElse(List.of()),
                Optional.ofNullable(info.get("reviewId"))),
            Optional.ofNullable(info.get("repair"))));
  }
}
