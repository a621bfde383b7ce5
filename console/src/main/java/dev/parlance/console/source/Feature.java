package dev.parlance.console.source;

/** Groups of pages that there may or may not be something for. */
public enum Feature {
  DECISIONS("decisions"),
  REVIEW("review"),
  JUDGEMENT("judgement"),
  SIDECARS("sidecars"),
  CORES("cores"),
  ROUNDS("rounds"),
  PACTS("pacts"),
  LEXICON("lexicon"),
  LEDGER("ledger"),
  /** Held messages can be claimed, decisions undone, second opinions given. */
  CLAIMS("claims"),
  /** The author can be asked again with a person's note. */
  SEND_BACK("sendBack"),
  /** Signed links to single held messages. */
  LINKS("links");

  private final String code;

  Feature(String code) {
    this.code = code;
  }

  /** The name in the API. */
  public String code() {
    return code;
  }
}
