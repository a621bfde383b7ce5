package dev.parlance.ledger.note;

import java.util.Optional;

/** Signature types of signed notes that are built in; the byte goes into the key id. */
public enum KeyType {
  /** Ed25519 over the note's text. */
  ED25519(0x01),
  /** Ed25519 over a time and the text of a checkpoint: the cosignature of a witness. */
  COSIGNATURE(0x04);

  private final int code;

  KeyType(int code) {
    this.code = code;
  }

  /** The type byte. */
  public byte code() {
    return (byte) code;
  }

  static Optional<KeyType> of(byte code) {
    for (KeyType type : values()) {
      if (type.code() == code) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }
}
