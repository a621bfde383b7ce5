package dev.parlance.wire.a2a;

import dev.parlance.wire.json.MemberName;

/** The ways in which objects of A2A are written: by generation, and in v0.3 by binding too. */
@SuppressWarnings("ImmutableEnumChecker") // records of a text and a flag
enum A2aFormat {
  /** v1.0, every JSON binding: members tell what an object is. */
  CURRENT("a2a-1.0"),
  /** v0.3 over JSON-RPC: {@code kind} tells what an object is. */
  KIND("a2a-0.3"),
  /** v0.3 over HTTP+JSON: as v1.0, but the parts of a message are its {@code content}. */
  CONTENT("a2a-0.3");

  private final A2aProtocol protocol;

  A2aFormat(String protocol) {
    this.protocol = new A2aProtocol(protocol, /* isProtobuf= */ false);
  }

  /** The protocol where messages are JSON. */
  A2aProtocol protocol() {
    return protocol;
  }

  /** True if {@code kind} tells what an object is, and states and roles are in lower case. */
  boolean discriminated() {
    return this == KIND;
  }

  /** The member that holds the parts of a message. */
  MemberName parts() {
    return this == CONTENT ? MemberName.CONTENT : MemberName.PARTS;
  }

  /**
   * True if a message can name earlier tasks. Servers of v0.3 over HTTP+JSON read its protobuf
   * form, which has no such field, and refuse a member that they do not know.
   */
  boolean namesReferences() {
    return this != CONTENT;
  }

  /** True if a stream's last change of status says so with {@code final}. */
  boolean marksFinal() {
    return this != CURRENT;
  }
}
