package dev.parlance.control.api;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;

/**
 * A service whose requests are smaller than the server as a whole allows: plans are large, what
 * sidecars say is not. A message is measured before it is parsed.
 */
final class RequestLimit {
  private RequestLimit() {}

  /** The same service with a limit on its requests. */
  static ServerServiceDefinition limit(ServerServiceDefinition service, int maxBytes) {
    return ServerInterceptors.intercept(
        ServerInterceptors.useInputStreamMessages(service), new Limit(maxBytes));
  }

  private record Limit(int maxBytes) implements ServerInterceptor {
    @Override
    public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
        ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
      return new SimpleForwardingServerCallListener<ReqT>(next.startCall(call, headers)) {
        private boolean isOver;

        @Override
        public void onMessage(ReqT message) {
          if (isOver) {
            return;
          }
          int bytes = length(message);
          if (bytes <= maxBytes) {
            super.onMessage(message);
            return;
          }
          isOver = true;
          call.close(
              Status.RESOURCE_EXHAUSTED.withDescription(
                  "message_too_large: got " + bytes + " bytes, expected at most " + maxBytes),
              GrpcErrors.reason("message_too_large"));
        }

        @Override
        public void onHalfClose() {
          if (!isOver) { // the call is closed already, and a unary one would close it again
            super.onHalfClose();
          }
        }
      };
    }

    /** Length of a whole message that has arrived. */
    private static int length(Object message) {
      if (!(message instanceof InputStream stream)) {
        throw new IllegalStateException("expected a stream, got " + message.getClass());
      }
      try {
        return stream.available();
      } catch (IOException e) {
        throw new IllegalStateException("a message that has arrived cannot be measured", e);
      }
    }
  }
}
