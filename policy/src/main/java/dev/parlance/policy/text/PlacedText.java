package dev.parlance.policy.text;

/**
 * A text whose tokens know where they stand in it as it was given: read by the same reader as those
 * that are counted ({@link TokenTable}), with their places noted. For people, not for the message
 * path: every token becomes an object. Immutable once read.
 */
public final class PlacedText {
  private final NormalizedText text = new NormalizedText();
  private final TextOrigins origins = new TextOrigins();

  /** Takes up a text; the bytes under it must not change while this is in use. */
  public PlacedText(Utf8Span given) {
    text.set(given, origins);
  }

  /** Is told of tokens. */
  @FunctionalInterface
  public interface TokenVisitor {
    /**
     * A token.
     *
     * @param token in the form in which tokens are compared
     * @param digit true if it has a decimal digit
     * @param from offset of its first byte in the text given
     * @param to offset after its last byte
     */
    void token(String token, boolean digit, int from, int to);
  }

  /** Its normal form, in which markers and tokens are found. */
  public NormalizedText normal() {
    return text;
  }

  /** Tells of the tokens of all of it, in order. */
  public void tokens(TokenVisitor visitor) {
    tokens(text.start(), text.end(), visitor);
  }

  /** Tells of the tokens between two indexes of the normal form; none reaches across them. */
  public void tokens(int from, int to, TokenVisitor visitor) {
    TokenReader reader = TokenReader.placing();
    reader.start(text, from, to);
    while (reader.nextWords()) {
      int[] edges = reader.edges();
      for (int i = 0; i < 2 * reader.words(); i += 2) {
        reader.readWord(edges[i], edges[i + 1] - edges[i]);
      }
      for (int i = 0; i < reader.size(); i++) {
        TokenReader.Read read = reader.read(i);
        visitor.token(read.text(), read.digit(), start(reader.start(i)), end(reader.end(i)));
      }
    }
  }

  /** Offset in the text given of the byte that one of the normal form comes from. */
  public int start(int normal) {
    return origins.start(normal);
  }

  /** Offset in the text given after what the bytes before {@code normal} come from. */
  public int end(int normal) {
    return origins.end(normal);
  }
}
