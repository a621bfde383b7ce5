package dev.parlance.control.publish;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.parlance.proto.v1.Sidecar;
import java.util.Arrays;

/**
 * What a replica keeps of a sidecar in the store, for all replicas: one byte that says whether
 * questions can be put to its agent, then {@link Sidecar} as last reported. States of cores are not
 * in it, they depend on what the control plane has by the time somebody asks.
 *
 * @param sidecar as last reported
 * @param answersQuestions whether it has a local agent
 */
public record SidecarDocument(Sidecar sidecar, boolean answersQuestions) {
  /** The bytes for the store. */
  public byte[] encode() {
    byte[] message = sidecar.toByteArray();
    byte[] bytes = new byte[message.length + 1];
    bytes[0] = (byte) (answersQuestions ? 1 : 0);
    System.arraycopy(message, 0, bytes, 1, message.length);
    return bytes;
  }

  /** From the bytes of {@link #encode}. */
  public static SidecarDocument decode(byte[] bytes) {
    try {
      return new SidecarDocument(
          Sidecar.parseFrom(Arrays.copyOfRange(bytes, 1, bytes.length)), bytes[0] == 1);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("the store holds no sidecar here", e);
    }
  }
}
