package dev.parlance.wire.api;

import dev.parlance.wire.bytes.Edit;
import java.util.List;
import java.util.Optional;

/** One event of a streamed body, whole. */
public interface Frame {
  /** The bytes as they were sent, delimiters and all; never write to them. */
  byte[] bytes();

  /**
   * What a codec reads: the data of a server-sent event (its lines joined by LF), the message of a
   * gRPC frame without its compression. Empty for what holds no data (comments, {@code retry}).
   */
  Optional<byte[]> payload();

  /** Name of a server-sent event; empty where there is none. */
  default String name() {
    return "";
  }

  /**
   * True if there is text beside the payload that somebody could read, although the protocol gives
   * it no meaning: comments, ids, names and unknown fields that say something, bytes that are no
   * text.
   */
  default boolean saysMore() {
    return false;
  }

  /** The frame without that text; its payload and its name are the same. */
  default Frame bare() {
    return this;
  }

  /** True if its payload only shows that somebody is there, or that the stream is over. */
  default boolean saysNothing() {
    return false;
  }

  /**
   * The frame with these edits made in its payload; all else stays as it was sent.
   *
   * @throws IllegalStateException if there is no payload
   */
  byte[] edited(List<Edit> edits);
}
