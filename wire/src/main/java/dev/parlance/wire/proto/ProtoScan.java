package dev.parlance.wire.proto;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.WireFault;
import java.util.List;

/** What came of scanning a protobuf message. */
public sealed interface ProtoScan {
  /**
   * A message as we accept it.
   *
   * @param message where everything lies
   * @param beside texts in fields that the sidecar does not know, in order
   */
  record Scanned(ProtoMessage message, List<Utf8Span> beside) implements ProtoScan {
    /** Takes a copy of the texts. */
    public Scanned {
      beside = List.copyOf(beside);
    }
  }

  /**
   * Not protobuf as we accept it.
   *
   * @param fault the kind of fault
   * @param detail for the peer, with a byte offset and never with text of the body
   */
  record Refused(WireFault fault, String detail) implements ProtoScan {
    /** The same as the outcome of reading a message. */
    public <V> Reading<V> asReading() {
      return new Reading.Malformed<>(fault, detail);
    }
  }
}
