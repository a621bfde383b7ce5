package dev.parlance.wire.api;

/**
 * What a message says in a negotiation that agents lead themselves, in the member {@link #URI} of
 * its metadata.
 */
public sealed interface PactMark {
  /** Name of the member. */
  String URI = "https://w3id.org/parlance/ext/pact/v1";

  /** Nothing. */
  record None() implements PactMark {}

  /**
   * A message of the machine {@code pact-1}, which nobody has read yet.
   *
   * @param json its bytes, as they stand in the body; a copy
   * @param alone true if the body holds no words beside it
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record Statement(byte[] json, boolean alone) implements PactMark {}

  /**
   * Something that is no such message.
   *
   * @param detail for people
   */
  record Unreadable(String detail) implements PactMark {}

  /** The one {@link None}. */
  PactMark NONE = new None();
}
