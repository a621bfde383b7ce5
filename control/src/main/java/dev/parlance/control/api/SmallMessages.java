package dev.parlance.control.api;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A service whose requests are smaller than the server as a whole allows: plans are large, what
 * sidecars say is not.
 */
final class SmallMessages {
  private SmallMessages() {}

  /** The same service with a limit on its requests. */
  static ServerServiceDefinition limit(ServerServiceDefinition service, int maxBytes) {
    List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();
    for (ServerMethodDefinition<?, ?> method : service.getMethods()) {
      methods.add(limited(method, maxBytes));
    }
    ServiceDescriptor.Builder descriptor =
        ServiceDescriptor.newBuilder(service.getServiceDescriptor().getName());
    descriptor.setSchemaDescriptor(service.getServiceDescriptor().getSchemaDescriptor());
    methods.forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
    ServerServiceDefinition.Builder limited = ServerServiceDefinition.builder(descriptor.build());
    methods.forEach(limited::addMethod);
    return limited.build();
  }

  private static <ReqT, RespT> ServerMethodDefinition<ReqT, RespT> limited(
      ServerMethodDefinition<ReqT, RespT> method, int maxBytes) {
    MethodDescriptor<ReqT, RespT> open = method.getMethodDescriptor();
    return ServerMethodDefinition.create(
        open.toBuilder(
                new Limit<>(open.getRequestMarshaller(), maxBytes), open.getResponseMarshaller())
            .build(),
        method.getServerCallHandler());
  }

  /** Refuses a message before it is parsed. */
  private record Limit<T>(MethodDescriptor.Marshaller<T> marshaller, int maxBytes)
      implements MethodDescriptor.Marshaller<T> {
    @Override
    public InputStream stream(T value) {
      return marshaller.stream(value);
    }

    @Override
    public T parse(InputStream stream) {
      int bytes;
      try {
        bytes = stream.available(); // a whole message is there when it is parsed
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (bytes > maxBytes) {
        Metadata trailers = Faults.reason("message_too_large");
        throw new StatusRuntimeException(
            Status.RESOURCE_EXHAUSTED.withDescription(
                "message_too_large: got " + bytes + " bytes, expected at most " + maxBytes),
            trailers);
      }
      return marshaller.parse(stream);
    }
  }
}
