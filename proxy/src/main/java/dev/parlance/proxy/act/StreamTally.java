package dev.parlance.proxy.act;

import dev.parlance.proxy.audit.DecisionEvent;
import dev.parlance.proxy.config.StreamMode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What has come of a stream so far. */
final class StreamTally {
  private final StreamMode mode;
  private final MessageDigest digest;
  private long events;
  private long bytes;

  StreamTally(StreamMode mode) {
    this.mode = mode;
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  void event(byte[] event) {
    events++;
    bytes += event.length;
    digest.update(event);
  }

  DecisionEvent.Stream line(long heldMs) {
    return new DecisionEvent.Stream(mode.code(), events, bytes, heldMs);
  }

  /** Of all bytes so far, in hex. */
  String sha256() {
    try {
      return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the platform's SHA-256 can be copied", e);
    }
  }
}
