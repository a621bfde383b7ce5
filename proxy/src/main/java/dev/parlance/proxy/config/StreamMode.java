package dev.parlance.proxy.config;

/** When the bytes of a streamed answer go on to the caller. */
public enum StreamMode {
  /** Once the message or artifact is whole and a verdict covers it. */
  HOLD("hold"),
  /** Sentence by sentence, each once a verdict covers everything up to it. */
  WINDOW("window"),
  /** At once; the verdict follows and holds nothing back. */
  OBSERVE("observe");

  private final String code;

  StreamMode(String code) {
    this.code = code;
  }

  /** The stable name in configuration, logs and metrics. */
  public String code() {
    return code;
  }
}
