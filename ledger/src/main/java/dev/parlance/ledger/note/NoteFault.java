package dev.parlance.ledger.note;

/** Why a note, a key or a checkpoint was refused; the codes are stable. */
public enum NoteFault {
  /**
   * More bytes than {@link Note#MAX_BYTES}, or more signatures than {@link Note#MAX_SIGNATURES}.
   */
  TOO_LARGE("note_too_large"),
  /** Not UTF-8, or a control character other than newline. */
  BAD_CHARACTER("note_bad_character"),
  /** No blank line with signature lines after it, or no newline at the end. */
  NO_SIGNATURES("note_no_signatures"),
  /** A signature line that is not em dash, name, base64 of at least five bytes. */
  BAD_SIGNATURE_LINE("note_bad_signature_line"),
  /** No signature of a key that the reader knows. */
  NO_KNOWN_KEY("note_no_known_key"),
  /** A signature of a known key that does not hold. */
  BAD_SIGNATURE("note_bad_signature"),
  /** A key text that does not parse. */
  BAD_KEY("key_malformed"),
  /** A key text whose id is not the id of its key. */
  KEY_ID_MISMATCH("key_id_mismatch"),
  /** A key of an algorithm that is not built in. */
  KEY_ALGORITHM("key_algorithm"),
  /** A file with a private key that others than its owner may read. */
  KEY_FILE_READABLE("key_file_readable"),
  /** A note that is no checkpoint: fewer than three lines, or a line that is not as it must be. */
  BAD_CHECKPOINT("checkpoint_malformed"),
  /** A checkpoint of another log. */
  ORIGIN_MISMATCH("checkpoint_origin");

  private final String code;

  NoteFault(String code) {
    this.code = code;
  }

  /** The stable code. */
  public String code() {
    return code;
  }
}
