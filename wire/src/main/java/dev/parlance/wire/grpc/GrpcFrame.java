package dev.parlance.wire.grpc;

import dev.parlance.wire.api.Frame;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Splicer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** One gRPC message with its prefix (gRPC over HTTP/2, Length-Prefixed-Message). */
public final class GrpcFrame implements Frame {
  private final byte[] bytes;

  /** The message without its compression; empty if it had none and stands in the frame as it is. */
  private final Optional<byte[]> inflated;

  public GrpcFrame(byte[] bytes, Optional<byte[]> inflated) {
    this.bytes = bytes;
    this.inflated = inflated;
  }

  @Override
  public byte[] bytes() {
    return bytes;
  }

  /** The message; a frame has one always, be it empty. */
  public byte[] message() {
    return inflated.orElseGet(
        () -> Arrays.copyOfRange(bytes, GrpcFraming.PREFIX_BYTES, bytes.length));
  }

  /** Bytes that inflation brought into memory. */
  int inflatedBytes() {
    return inflated.map(message -> message.length).orElse(0);
  }

  @Override
  public Optional<byte[]> payload() {
    return Optional.of(message());
  }

  /** The edited message in a frame without compression. */
  @Override
  public byte[] edited(List<Edit> edits) {
    return edits.isEmpty() ? bytes : GrpcFraming.framed(Splicer.applyToBytes(message(), edits));
  }
}
