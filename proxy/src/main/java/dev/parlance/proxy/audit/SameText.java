package dev.parlance.proxy.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** A field that mostly holds the same text as in the line before: then it is copied as bytes. */
final class SameText {
  private final byte[] name;
  private String last = "";
  private byte[] encoded;

  /**
   * A field.
   *
   * @param name its name in quotes, comma before and colon behind
   */
  SameText(String name) {
    this.name = name.getBytes(US_ASCII);
    this.encoded = (name + "\"\"").getBytes(US_ASCII);
  }

  /** Writes the field. */
  void write(String text, JsonBytes out) {
    if (!text.equals(last)) { // the same object, as a rule
      encoded = new JsonBytes().raw(name).text(text, AuditJson.TEXT_CHARACTERS).toByteArray();
      last = text;
    }
    out.raw(encoded);
  }
}
