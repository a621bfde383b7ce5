package dev.parlance.policy.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.text.CitationId;
import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CitationsTest {
  private static final int MEGABYTES = 4 << 20;

  private final Citations citations = new Citations();

  /**
   * Cases cite-dagger, cite-foot, cite-source, cite-xml, cite-docs, cite-lenti, cite-de, and more.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Water boils. [c1]",
        "Water boils. [C1]",
        "Water boils. [Chunk c1]",
        "Water boils. [chunk: c1]",
        "Water boils. [Chunk #c1]",
        "Water boils. [^1]",
        "Water boils. [^c1]",
        "Water boils.[1]",
        "Water boils. [[1]]",
        "Water boils. [ 1 ]",
        "Water boils. \u3010c1\u2020source\u3011",
        "Water boils. \u30101\u2020source\u3011",
        "Water boils. \u30104:0\u2020source\u3011",
        "Water boils. \u30101\u2020L3-L8\u3011",
        "Water boils. \u3010Chunk c1\u3011",
        "Water boils. \uff3bc1\uff3d",
        "Water boils. \u3014c1\u3015",
        "Water boils. (c1)",
        "Water boils. \uff08c1\uff09",
        "Water boils. (Source: c1)",
        "Water boils. (source 1)",
        "Water boils. (see c1)",
        "Water boils. (see [c1])",
        "Water boils. (Source: [c1])",
        "Water boils. ([c1])",
        "Water boils. <cite>c1</cite>",
        "Water boils. <sup>1</sup>",
        "Water boils. <ref name=\"c1\"/>",
        "Water boils. [Document 1]",
        "Water boils. [doc1]",
        "Water boils. [Doc. 1]",
        "Water boils. [Source No. 1]",
        "Water boils. [Quelle c1]",
        "Water boils. [Dokument 1]",
        "Water boils. [Quelle: Dokument c1]",
        "Water boils. [Fuente: c1]",
        "Water boils. [source c1]",
        "Water boils. [\u6765\u6e90: c1]",
        "Water boils. [\u51fa\u51781]",
        "Water boils. [\u0418\u0441\u0442\u043e\u0447\u043d\u0438\u043a 1]",
        "Water boils. [c1, p. 12]",
        "Water boils. [Chunk c1, p. 12]",
        "Water boils. [c1, S. 12]",
        "Water boils. [c1, lines 3-5]",
        "Water boils. [c1 p.12]",
        "Water boils. [c1 (page 3)]",
        "Water boils. [c1:12]",
        "Water boils. [c1#L4]",
        "Water boils. [Chunk c1, 12]",
        "Water boils. \\[Chunk c1\\]",
        "Water boils. \\[c1\\]",
        "Water boils. [`c1`]",
        "Water boils. [**c1**]",
        "Water boils. [\"c1\"]",
        "Water boils. [c1](https://example.org/page)",
        "Water boils. [c1](#c1)",
      })
  void usualForms_areMarkersOfTheChunk(String answer) {
    assertThat(found(answer, chunk("c1", "Water boils."), chunk("c2", "Ice melts.")))
        .isEqualTo("c1/c1");
    assertThat(rest(answer)).isEqualTo("Water boils.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[c1, c2] | 0 1",
        "[c1; c2] | 0 1",
        "[c1 and c2] | 0 1",
        "[Chunk c1][Chunk c2] | 0 1",
        "[Chunks c1 & c2] | 0 1",
        "[Quellen c1 und c2] | 0 1",
        "[1, 3] | 0 2",
        "[1-3] | 0 1 2",
        "[1\u20133] | 0 1 2",
        "[c1-c3] | 0 1 2",
        "[Sources 2, 3] | 1 2",
        "[c1, p. 4; c2, p. 5] | 0 1",
        "[c1, c9] | 0 -1",
        "[1, 9] | 0 -1",
      })
  void lists_nameEach(String marker, String chunks) {
    Utf8Span answer = Utf8Span.of("Water boils " + marker + ".");
    citations.read(answer, List.of(chunk("c1", "A."), chunk("c2", "B."), chunk("c3", "C.")));
    assertThat(
            Stream.iterate(0, i -> i < citations.citations(), i -> i + 1)
                .map(i -> Integer.toString(citations.chunk(i)))
                .toList())
        .isEqualTo(List.of(chunks.split(" ")));
  }

  /** Cases id-nodigit, id-space, id-page, id-escaped, and more. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "refund-policy | [Chunk refund-policy]",
        "refund-policy | [refund-policy]",
        "refund-policy | [Refund Policy]",
        "refund_policy | [refund-policy]",
        "manual.pdf p. 12 | [Chunk manual.pdf p. 12]",
        "manual.pdf p. 12 | [manual.pdf, p. 12]",
        "manual.pdf | [manual.pdf p. 12]",
        "manual(1).pdf | [Chunk manual(1).pdf]",
        "what is it? | [Chunk what is it?]",
        "a & b | [Chunk a & b]",
        "Meier, 2019 | [Meier, 2019]",
        "Handbuch f\u00fcr Pumpen | [Chunk Handbuch f\u00fcr Pumpen]",
        "\u624b\u518a | [\u624b\u518a]",
        "\u624b\u518a | \u3010\u624b\u518a\u3011",
        "https://example.org/a | [https://example.org/a]",
        "https://example.org/a | (https://example.org/a)",
        "https://example.org/a | <https://example.org/a>",
        "https://example.org/a | [the page](https://example.org/a)",
        "https://example.org/a | [1](https://example.org/a)",
        "urn:isbn:123 | [urn:isbn:123]",
        "7 | [7]",
        "7 | [Document 7]",
        "doc-1 | [doc-1]",
        "doc-1 | [Doc 1]",
        "550e8400-e29b-41d4-a716-446655440000 | [550e8400-e29b-41d4-a716-446655440000]",
        "file-AbC123 | [file-abc123]",
        "s3://bucket/key with blank.txt | [s3://bucket/key with blank.txt]",
        "kb/faq.md#returns | [kb/faq.md#returns]",
      })
  void anyId_canBeCited(String id, String marker) {
    assertThat(found("Water boils " + marker + ".", chunk(id, "Water boils."), chunk("z", "No.")))
        .isEqualTo(CitationId.canonical(id) + "/" + CitationId.canonical(id));
  }

  @Test
  void markers_mayReachOverALineEnd() {
    for (String marker :
        List.of("[Chunk\nc1]", "[\nChunk c1\n]", "[Chunk manual\nof pumps]", "[Chunk\r\nc1]")) {
      assertThat(
              found(
                  "Water boils " + marker + ".", chunk("c1", "A."), chunk("manual of pumps", "B.")))
          .as(marker)
          .matches("(c1/c1|manual of pumps/manual of pumps)");
    }
    assertThat(found("Water boils [Chunk\n\nc1].", chunk("c1", "A."))).isEqualTo("/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Source: c1",
        "Water boils.\nSource: c1",
        "Water boils.\n**Source:** c1",
        "Water boils. Source: c1.",
        "Water boils.\nSources: c1, c2",
        "Water boils.\nQuelle: c1",
        "Water boils.\n\u51fa\u5178\uff1ac1",
        "part: impeller; source: c1",
      })
  void sourceLines_cite(String answer) {
    assertThat(found(answer, chunk("c1", "A."), chunk("c2", "B."))).startsWith("c1");
    assertThat(rest(answer)).doesNotContain("c1").doesNotContainIgnoringCase("source");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[Chunk c9]",
        "[c9]",
        "[Document 7]",
        "[9]",
        "[^9]",
        "[Chunk nonsense]",
        "[Source: Wikipedia]",
        "(Source: c9)",
        "(Chunk c9)",
        "\u3010c9\u2020source\u3011",
        "<cite>c9</cite>",
        "[https://example.org/made-up]",
        "[c1, c9]",
      })
  void whatCitesNoChunk_isUnknown(String marker) {
    found("Water boils " + marker + ".", chunk("c1", "Water boils."), chunk("c2", "Ice."));
    assertThat(citations.citedIds()).hasSizeGreaterThan(citations.knownIds().size());
  }

  /** Cases cite-year and cite-interval, and more. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "The norm was revised in [2019].",
        "The probability lies in [0, 1].",
        "It reads list[0] first.",
        "It reads list[1] first.",
        "The range is [1, 2].",
        "Use option (a) or option (b).",
        "Set x[i] to m[c9].",
        "Press [F5] to reload.",
        "See [Section 4] of the code.",
        "As said by Smith [7] the valve leaks.",
        "m<sup>2</sup> is an area.",
        "Replace 10<sup>2</sup> parts.",
        "The interval is [3-5] days.",
        "See [Document 9] there.",
      })
  void bracketsOfTheEvidence_areText(String text) {
    for (List<Chunk> chunks :
        List.of(
            List.of(chunk("c1", text), chunk("c2", "Other.")),
            List.of(chunk("a", text), chunk("b", "Other.")),
            List.of(chunk("c1", text.replace("[", "\\[").replace(" ", "  ")), chunk("d", "")))) {
      citations.read(Utf8Span.of(text + " [Chunk " + chunks.getFirst().id() + "]"), chunks);
      assertThat(citations.markers()).as(text).isEqualTo(1);
      assertThat(citations.start(0)).isEqualTo(text.length() + 1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "It holds (in most cases) for water.",
        "It holds [sic] and [...] there.",
        "(1) Open it. (2) Close it.",
        "It was so [in the year] then.",
        "Between [0, 1] and [2019].",
        "f(x) = x[i] + y(2)",
        "x < 3 and y > 2",
        "List<String> names",
        "[ ] to do, [x] done",
        "(see the manual) (from 1 to 2) (per 100 units) (id 12)",
        "Note: c1 is a valve",
        "[the page](https://example.org/else)",
        "He (Source: the newspaper) said so.",
      })
  void otherBrackets_areText(String text) {
    assertThat(found(text, chunk("c1", "A."), chunk("c2", "B."))).isEqualTo("/");
    assertThat(citations.markers()).isZero();
  }

  @Test
  void otherNumberInABracketOfTheEvidence_staysTextOrIsUnknown() {
    Chunk year = chunk("c1", "The norm was revised in [2019].");
    citations.read(Utf8Span.of("The norm was revised in [2018] [Chunk c1]."), List.of(year));
    assertThat(citations.markers()).isEqualTo(1);
  }

  @Test
  void wordsBehindAnId_areNotHidden() {
    String answer = "Water boils [Chunk c1, although the moon is made of cheese].";
    found(answer, chunk("c1", "Water boils."));
    assertThat(rest(answer)).contains("although the moon is made of cheese");
  }

  @Test
  void numbers_arePlacesOnlyWhereNoIdIsANumber() {
    assertThat(found("Boils [1].", chunk("7", "A."), chunk("8", "B."))).isEqualTo("1/");
    assertThat(found("Boils [2].", chunk("2", "A."), chunk("1", "B."))).isEqualTo("2/2");
    assertThat(citations.chunk(0)).isZero();
  }

  @Test
  void chunksWithoutIds_areNumbered() {
    List<Chunk> chunks = List.of(chunk("", "A."), chunk("2", "B."), chunk("", "C."));
    assertThat(CitableIds.of(chunks)).containsExactly("1", "2", "3");
    assertThat(CitableIds.of(List.of(chunk("2", "A."), chunk("", "B."), chunk(" ", "C."))))
        .containsExactly("2", "3", "4");
    citations.read(Utf8Span.of("Boils [3]."), chunks);
    assertThat(citations.chunk(0)).isEqualTo(2);
  }

  @Test
  void passagesOfOneDocument_areCitedByItsId_andEachByItsOwn() {
    List<Chunk> chunks =
        List.of(
            chunk("m.pdf", "A."),
            chunk("m.pdf#2", "B."),
            chunk("c#2", "C."),
            chunk("m.pdf#3", "D."));
    citations.read(Utf8Span.of("Boils [m.pdf]."), chunks);
    assertThat(
            java.util.stream.IntStream.range(0, citations.citations())
                .map(citations::chunk)
                .toArray())
        .containsExactlyInAnyOrder(0, 1, 3);
    citations.read(Utf8Span.of("Boils [m.pdf#2]."), chunks);
    assertThat(citations.chunk(0)).isEqualTo(1);
    assertThat(citations.citedIds()).containsExactly("m.pdf#2");
  }

  @Test
  void structuredCitations_count() {
    citations.read(Utf8Span.of("Boils."), List.of(chunk("c1", "A."), chunk("c2", "B.")));
    List.of("C2", "1", "c9", "").forEach(citations::addStructured);
    assertThat(citations.citedIds()).containsExactly("c2", "c1", "c9");
    assertThat(citations.knownIds()).containsExactly("c2", "c1");
  }

  @Test
  void ranges_areBytesOfTheAnswerGiven() {
    byte[] bytes = "xx\u00d6l [Chunk \u00f6l] \u3010c1\u3011.".getBytes(StandardCharsets.UTF_8);
    citations.read(
        Utf8Span.of(bytes, 2, bytes.length - 2),
        List.of(chunk("\u00f6l", "A."), chunk("c1", "B.")));
    assertThat(citations.start(0)).isEqualTo(4);
    assertThat(citations.end(0)).isEqualTo(15);
    assertThat(citations.start(1)).isEqualTo(16);
    assertThat(citations.end(1)).isEqualTo(24);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[",
        "[[",
        "[1]",
        "[a1]",
        "(",
        "[(",
        "<",
        "<cite>",
        "<cite>1</cite>",
        "source:",
        "[c1",
        "\u3010",
        "[c1, ",
        "\\[",
        "]",
        ":",
        "[source: ",
        "[1-250]"
      })
  void longTexts_takeLinearTime(String piece) {
    int count = MEGABYTES / piece.getBytes(StandardCharsets.UTF_8).length;
    Utf8Span answer = Utf8Span.of(piece.repeat(count));
    List<Chunk> chunks = List.of(new Chunk("c1", answer), chunk("c2", "B."));
    assertTimeoutPreemptively(Duration.ofSeconds(20), () -> citations.read(answer, chunks));
  }

  @Test
  void anyText_givesRangesInOrder() {
    Random random = new Random(37);
    String[] pieces = {
      "[", "]", "(", ")", "c1", " ", "1", "<", ">", "cite", "/", ":", "Source", "\\", "\n",
      "\u3010", "\u3011", "\u2020", ",", "see", "-", "\u00e9", "\"", "=", "^", "."
    };
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int j = random.nextInt(16); j >= 0; j--) {
        text.append(pieces[random.nextInt(pieces.length)]);
      }
      Utf8Span answer = Utf8Span.of(text.toString());
      citations.read(answer, List.of(chunk("c1", "see [1] (c1)"), chunk("c2", "B.")));
      int end = 0;
      for (int marker = 0; marker < citations.markers(); marker++) {
        assertThat(citations.start(marker)).as(text.toString()).isGreaterThanOrEqualTo(end);
        assertThat(citations.end(marker)).isGreaterThan(citations.start(marker));
        end = citations.end(marker);
      }
      assertThat(end).isLessThanOrEqualTo(answer.length());
    }
  }

  private static Chunk chunk(String id, String text) {
    return new Chunk(id, Utf8Span.of(text));
  }

  private String found(String answer, Chunk... chunks) {
    citations.read(Utf8Span.of(answer), Arrays.asList(chunks));
    return String.join(",", citations.citedIds()) + "/" + String.join(",", citations.knownIds());
  }

  /** The answer without its markers. */
  private String rest(String answer) {
    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
    List<String> rest = new ArrayList<>();
    int from = 0;
    for (int marker = 0; marker < citations.markers(); marker++) {
      rest.add(new String(bytes, from, citations.start(marker) - from, StandardCharsets.UTF_8));
      from = citations.end(marker);
    }
    rest.add(new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8));
    return String.join("", rest).strip();
  }
}
