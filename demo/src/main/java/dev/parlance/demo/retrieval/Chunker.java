package dev.parlance.demo.retrieval;

import dev.parlance.demo.retrieval.Retriever.Passage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Cuts a document into overlapping pieces as in section 5.2 of the ASP paper: whole paragraphs up
 * to about 220 words, and the last paragraph of a piece opens the next one.
 *
 * <p>The paper does not say how much may overlap. Here a paragraph is repeated only if it is at
 * most half a piece long; otherwise long paragraphs would make every piece mostly a copy of the
 * last one.
 */
public final class Chunker {
  /** IndexWords of a piece, from the paper. */
  static final int TARGET_WORDS = 220;

  private static final Pattern BLANK_LINES = Pattern.compile("\\R\\s*\\R");
  private static final Pattern SPACE = Pattern.compile("\\s+");

  private Chunker() {}

  /** The pieces of {@code document} in its order; none if it has no words. */
  public static List<Passage> chunk(String document) {
    List<Passage> passages = new ArrayList<>();
    List<String> open = new ArrayList<>();
    int openWords = 0;
    boolean news = false;
    for (String raw : BLANK_LINES.split(document, -1)) {
      String paragraph = SPACE.matcher(raw.strip()).replaceAll(" ");
      int words = IndexWords.of(paragraph).size();
      if (words == 0) {
        continue;
      }
      if (news && openWords + words > TARGET_WORDS) {
        passages.add(close(passages.size(), open));
        String last = open.getLast();
        open.clear();
        openWords = 0;
        int lastWords = IndexWords.of(last).size();
        if (lastWords <= TARGET_WORDS / 2) {
          open.add(last);
          openWords = lastWords;
        }
      }
      open.add(paragraph);
      openWords += words;
      news = true;
    }
    if (news) {
      passages.add(close(passages.size(), open));
    }
    return List.copyOf(passages);
  }

  private static Passage close(int before, List<String> paragraphs) {
    return new Passage(
        String.format(Locale.ROOT, "c%02d", before + 1), String.join("\n", paragraphs));
  }
}
