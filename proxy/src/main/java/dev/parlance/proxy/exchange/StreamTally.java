package dev.parlance.proxy.exchange;

import dev.parlance.proxy.audit.DecisionEvent;
import dev.parlance.proxy.config.StreamMode;
import dev.parlance.proxy.gate.Digests;
import java.security.MessageDigest;
import java.util.HexFormat;

/** What has come of a stream so far. */
final class StreamTally {
  private final StreamMode mode;
  private final MessageDigest digest;
  private long events;
  private long bytes;

  StreamTally(StreamMode mode) {
    this.mode = mode;
    this.digest = Digests.sha256();
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
