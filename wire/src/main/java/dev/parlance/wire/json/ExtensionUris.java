package dev.parlance.wire.json;

/** The URIs under which Parlance's own objects stand in {@code metadata} of message bodies. */
public final class ExtensionUris {
  /** The verdict on a message, and its ASP header. */
  public static final String VERDICT = "https://w3id.org/parlance/ext/asp/v1";

  /** What a message says of a round. */
  public static final String ROUND = "https://w3id.org/parlance/ext/round/v1";

  /** Evidence that a message declares. */
  public static final String EVIDENCE = "https://w3id.org/parlance/ext/evidence/v1";

  private ExtensionUris() {}
}
