package dev.parlance.it;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Messages of gRPC as they are on the wire. */
enum ByteMessages implements MethodDescriptor.Marshaller<byte[]> {
  /** Neither read nor changed. */
  AS_SENT;

  @Override
  public InputStream stream(byte[] message) {
    return new ByteArrayInputStream(message);
  }

  @Override
  public byte[] parse(InputStream stream) {
    try {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
