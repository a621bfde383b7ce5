package dev.parlance.wire.api;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.HeaderLookup;

/**
 * The status and fields of a response, and what the reading of its body needs besides.
 *
 * @param status HTTP status code
 * @param fields header fields
 * @param relayed which texts have passed here before
 * @param eventBytes largest event of a streamed body, its delimiters included
 * @param trailers fields behind the body; {@link HeaderLookup#NONE} where the transport has none,
 *     or they have not come yet
 */
public record ResponseHead(
    int status, HeaderLookup fields, Relayed relayed, int eventBytes, HeaderLookup trailers) {
  /** The default bound of an event in docs/limits.md. */
  public static final int EVENT_BYTES = 4 * 1024 * 1024;

  private static final int FIRST_REDIRECT = 300;

  /** The head of an answer without trailers. */
  public ResponseHead(int status, HeaderLookup fields, Relayed relayed, int eventBytes) {
    this(status, fields, relayed, eventBytes, HeaderLookup.NONE);
  }

  /** The head of an answer with the default bound of its events. */
  public ResponseHead(int status, HeaderLookup fields, Relayed relayed) {
    this(status, fields, relayed, EVENT_BYTES);
  }

  /** The head of an answer where nothing has passed before. */
  public ResponseHead(int status, HeaderLookup fields) {
    this(status, fields, Relayed.NOTHING);
  }

  /** True for the head of an HTTP error or of a redirect: no answer stands behind it. */
  public boolean isError() {
    return isError(status);
  }

  /** True for the status of an HTTP error or of a redirect. */
  public static boolean isError(int status) {
    return status >= FIRST_REDIRECT;
  }

  /**
   * The set of texts that were judged and passed on before. They may be repeated (the history of a
   * task, the question in front of its answer) without being judged as the words of whoever repeats
   * them. A label such as {@code role: user} proves nothing; this does.
   */
  @FunctionalInterface
  public interface Relayed {
    /** Nothing has passed yet. */
    Relayed NOTHING = text -> false;

    /** True if exactly this text has been judged and passed on between the same two parties. */
    boolean knows(Utf8Span text);
  }
}
