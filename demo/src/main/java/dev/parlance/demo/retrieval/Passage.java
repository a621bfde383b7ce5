package dev.parlance.demo.retrieval;

/**
 * A piece of a document, about 220 words long.
 *
 * @param id how an answer cites it: {@code c01}, {@code c02}, ... in the order of the document
 * @param text its paragraphs, one per line
 */
public record Passage(String id, String text) {
  /** Refuses a piece that cannot be cited or says nothing. */
  public Passage {
    if (!id.matches("c\\d{2,4}") || text.isBlank()) {
      throw new IllegalArgumentException("expected an id like c07 and a text, got id " + id);
    }
  }
}
