package dev.parlance.control.embed;

/** Why an encoder cannot be used. The codes are stable. */
public enum EncoderFault {
  /** The folder or a file of it is missing or cannot be read. */
  UNREADABLE("unreadable"),
  /** The manifest is not in its form, or has impossible values. */
  BAD_MANIFEST("bad_manifest"),
  /** A file is not the one that the manifest names. */
  DIGEST_DIFFERS("digest_differs"),
  /** A file is larger than any encoder's. */
  TOO_LARGE("too_large"),
  /** The tokenizer's file is none. */
  BAD_TOKENIZER("bad_tokenizer"),
  /** The runtime cannot be loaded on this machine. */
  NO_RUNTIME("no_runtime"),
  /** The model cannot be loaded, or has other inputs or outputs than the manifest says. */
  BAD_MODEL("bad_model");

  private final String code;

  EncoderFault(String code) {
    this.code = code;
  }

  /** The stable name. */
  public String code() {
    return code;
  }
}
