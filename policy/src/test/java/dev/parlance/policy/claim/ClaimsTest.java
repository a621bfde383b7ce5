package dev.parlance.policy.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class ClaimsTest {
  private static final Pattern MARKER = Pattern.compile("\\[Chunk \\w+]");

  private final Units answer = new Units(3);
  private final Units question = new Units(3);
  private final Claims claims = new Claims(3);

  @ParameterizedTest(name = "{0} {2}")
  @CsvFileSource(resources = "claims.txt", delimiter = '|', quoteCharacter = '\u00ac')
  void eachPiece_hasItsKind(String kinds, String asked, String text) {
    assertThat(pieces(asked == null ? "" : asked, text.replace("\\n", "\n"))).isEqualTo(kinds);
  }

  @ParameterizedTest(name = "{1}")
  @CsvFileSource(resources = "abstentions.txt", delimiter = '|', quoteCharacter = '\u00ac')
  void whoSaysThatTheSourcesDoNotSay_claimsNothing(String asked, String text) {
    assertThat(pieces(asked, text)).contains("abstains").doesNotContain("(");
  }

  @ParameterizedTest(name = "{1}")
  @CsvFileSource(resources = "denials.txt", delimiter = '|', quoteCharacter = '\u00ac')
  void whoDeniesSomethingOfTheMatter_claimsIt(String asked, String text) {
    assertThat(pieces(asked, text)).contains("(");
  }

  /** The kinds of an answer's pieces, claims with their words. */
  private String pieces(String asked, String text) {
    question.read(Utf8Span.of(asked));
    Utf8Span span = Utf8Span.of(text);
    answer.read(span);
    int[] ranges = markers(text);
    claims.read(span, answer, question, ranges, ranges.length / 2);
    List<String> pieces = new ArrayList<>();
    for (int i = 0; i < claims.count(); i++) {
      String kind = claims.kind(i).name();
      pieces.add(
          kind.equals("CLAIM")
              ? "(" + words(span, i) + ")"
              : kind.toLowerCase(java.util.Locale.ROOT));
    }
    return String.join(" ", pieces);
  }

  private String words(Utf8Span text, int piece) {
    byte[] bytes = text.toByteArray();
    List<String> words = new ArrayList<>();
    boolean gram = false;
    for (int unit = claims.first(piece); unit < claims.after(piece); unit++) {
      if (claims.isPart(unit)) {
        String word =
            new String(
                bytes,
                answer.start(unit),
                answer.end(unit) - answer.start(unit),
                StandardCharsets.UTF_8);
        boolean glued = gram && answer.start(unit) == answer.end(unit - 1);
        if (glued) {
          words.add(words.removeLast() + word);
        } else {
          words.add(word);
        }
        gram = (answer.flags(unit) & Units.GRAM) != 0;
      }
    }
    return String.join(" ", words);
  }

  private static int[] markers(String text) {
    Matcher matcher = MARKER.matcher(text);
    List<Integer> ranges = new ArrayList<>();
    while (matcher.find()) {
      ranges.add(text.substring(0, matcher.start()).getBytes(StandardCharsets.UTF_8).length);
      ranges.add(text.substring(0, matcher.end()).getBytes(StandardCharsets.UTF_8).length);
    }
    return ranges.stream().mapToInt(i -> i).toArray();
  }
}
