package dev.parlance.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parlance.onnx.TextInput.Row;
import dev.parlance.onnx.testing.TestTokenizer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WordPieceTest {
  private static WordPiece read(String json) {
    return read(json, 64);
  }

  private static WordPiece read(String json, int maxTokens) {
    try {
      return TokenizerFile.read(json.getBytes(StandardCharsets.UTF_8), maxTokens);
    } catch (ModelProblem e) {
      throw new AssertionError(e.fault() + " " + e.detail(), e);
    }
  }

  private static ModelProblem refused(String json) {
    return catchThrowableOfType(
        ModelProblem.class, () -> TokenizerFile.read(json.getBytes(StandardCharsets.UTF_8), 64));
  }

  /** The pieces of a text, without what stands around it. */
  private static String pieces(WordPiece tokenizer, String text) {
    long[] ids = tokenizer.read(text).ids();
    assertThat(ids[0]).isEqualTo(2);
    assertThat(ids[ids.length - 1]).isEqualTo(3);
    return Arrays.stream(ids, 1, ids.length - 1)
        .mapToObj(id -> TestTokenizer.VOCABULARY.get((int) id))
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          unwanted running,            un ##want ##ed runn ##ing
          unwantedY running,           [UNK] runn ##ing
          '  HeLLo!how   Are yoU?  ',  hello ! how are you ?
          h\u00E9llo,                  hello
          he\u0301llo,                 hello
          HELLO\u00A0\u2003you\u3000a, hello you a
          ah\u535A\u63A8zz,            ah \u535A \u63A8 zz
          a-copy\u2014a,               a - copy [UNK] a
          '',                          ''
          '   ',                       ''
          [SEP] [MASK],                [ sep ] [ mask ]
          \u039F\u0394\u039F\u03A3,    \u03BF\u03B4\u03BF\u03C3
          \u0130,                      i
          \uD83D\uDE00,                \uD83D\uDE00
          xx\uD83D\uDE00,              [UNK]
          hel\u200Blo\u00AD,           hello
          """)
  void text_becomesThePiecesThatTheFormatsOwnRulesGive(String text, String expected) {
    assertThat(pieces(read(TestTokenizer.json()), text)).isEqualTo(expected);
  }

  @Test
  void controls_areDropped() {
    assertThat(pieces(read(TestTokenizer.json()), "hel\u0000lo\uFFFD\u0085")).isEqualTo("hello");
  }

  @Test
  void loneSurrogates_areDropped() {
    assertThat(pieces(read(TestTokenizer.json()), "hel\uD83Dlo\uDE00")).isEqualTo("hello");
  }

  @Test
  void wordLongerThanTheFileAllows_isUnknown() {
    WordPiece tokenizer = read(TestTokenizer.json(), 128);
    assertThat(pieces(tokenizer, "x".repeat(100)).split(" ")).hasSize(100);
    assertThat(pieces(tokenizer, "x".repeat(101))).isEqualTo("[UNK]");
  }

  @Test
  void longText_isCutAtTheManifestsLength_notAtTheTokenizers() {
    WordPiece tokenizer = read(TestTokenizer.json(), 16);
    Row row = tokenizer.read("hello ".repeat(1_000));
    assertThat(row.length()).isEqualTo(16);
    assertThat(row.ids()[15]).isEqualTo(3);
    // A word that the cut goes through keeps its first pieces.
    assertThat(pieces(tokenizer, "a ".repeat(13) + "unwanted")).endsWith("a un");
    assertThat(tokenizer.longest().length()).isEqualTo(16);
  }

  @Test
  void hostileTexts_takeNoLongerThanOthers() {
    WordPiece tokenizer = read(TestTokenizer.json(), 512);
    String worst = ("x".repeat(99) + "\uD83D\uDE00 ").repeat(600);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long beganCpuNs = threads.getCurrentThreadCpuTime();
    Row row = tokenizer.read(worst);
    assertThat(row.length()).isEqualTo(512);
    assertThat(threads.getCurrentThreadCpuTime() - beganCpuNs).isLessThan(2_000_000_000L);
  }

  @Test
  void segmentsAndSpecialTokens_comeFromTheTemplate() {
    String json =
        TestTokenizer.json()
            .replace("\"Sequence\": {\"id\": \"A\", \"type_id\": 0}}", SEQUENCE_1)
            .replace("\"ids\": [3]", "\"ids\": [3, 0]");
    Row row = read(json).read("hello");
    assertThat(row.ids()).containsExactly(2, 12, 3, 0);
    assertThat(row.types()).containsExactly(0, 1, 0, 0);
  }

  private static final String SEQUENCE_1 = "\"Sequence\": {\"id\": \"A\", \"type_id\": 1}}";

  @Test
  void otherFormsOfTheSame_areRead() {
    String processor =
        "\"post_processor\": {\"type\": \"BertProcessing\", \"sep\": [\"[SEP]\", 3], \"cls\":"
            + " [\"[CLS]\", 2]}, \"decoder\"";
    String bert =
        TestTokenizer.json().replaceFirst("(?s)\"post_processor\".*\"decoder\"", processor);
    assertThat(pieces(read(bert), "hello you")).isEqualTo("hello you");
    String bare =
        TestTokenizer.json()
            .replaceFirst("(?s)\"post_processor\".*\"decoder\"", "\"decoder\"")
            .replace("{\"type\": \"WordPiece\", \"unk", "{\"unk");
    assertThat(read(bare).read("hello you").ids()).containsExactly(12, 15);
    String cased = TestTokenizer.json().replace("\"lowercase\": true", "\"lowercase\": false");
    assertThat(pieces(read(cased), "Hello hello h\u00E9llo")).isEqualTo("[UNK] hello [UNK]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"type\": \"WordPiece\", \"unk~\"type\": \"Unigram\", \"unk",
        "\"type\": \"WordPiece\", \"unk~\"type\": \"BPE\", \"unk",
        "BertPreTokenizer~ByteLevel",
        "BertPreTokenizer~Whitespace",
        "\"BertNormalizer\"~\"NFC\"",
        "\"BertNormalizer\"~\"Sequence\"",
        "\"TemplateProcessing\"~\"RobertaProcessing\"",
        "\"special\": true~\"special\": false",
        "\"id\": 3, \"content\"~\"id\": 4, \"content\"",
        "\"version\": \"1.0\"~\"version\": \"1.0\", \"dropout\": 0.5",
        "\"lowercase\": true~\"lowercase\": true, \"more\": 1",
        "\"lowercase\": true~\"lowercase\": \"true\"",
        "\"unk_token\": \"[UNK]\"~\"unk_token\": \"<unk>\"",
        "\"unk_token\": \"[UNK]\", ~",
        "\"unk_token\": \"[UNK]\"~\"unk_token\": \"[UNK]\", \"unk_token\": \"[UNK]\"",
        "\"max_input_chars_per_word\": 100~\"max_input_chars_per_word\": 0",
        "\"[PAD]\":0~\"[PAD]\":-1",
        "\"[PAD]\":0~\"[PAD]\":0.5",
        "\"[PAD]\":0~\"[PAD]\":99999999",
        "\"id\": \"A\", \"type_id\": 0}},\n~\"id\": \"B\", \"type_id\": 0}},\n",
        "{\"Sequence\": {\"id\": \"A\", \"type_id\": 0}},\n~",
        "\"ids\": [3]~\"ids\": [\"3\"]",
        "{\"id\": \"[SEP]\", \"type_id\": 0}~{\"id\": \"[EOS]\", \"type_id\": 0}",
        "\"type_id\": 0}},\n~\"type_id\": 2}},\n",
        "\"pre_tokenizer\"~\"pre_tokenizers\"",
        "{\"version\"~[{\"version\"",
      })
  void whateverWouldTokeniseOtherwise_isRefused(String change) {
    List<String> halves = List.of(change.split("~", -1));
    String json = TestTokenizer.json().replace(halves.getFirst(), halves.getLast());
    assertThat(json).isNotEqualTo(TestTokenizer.json());
    ModelProblem problem = refused(json);
    assertThat(problem.fault()).isEqualTo(ModelFault.BAD_TOKENIZER);
    assertThat(problem.detail()).startsWith("tokenizer.json");
  }

  @Test
  void moreSpecialTokensThanTheLength_isTheManifestsFault() {
    ModelProblem problem =
        catchThrowableOfType(
            ModelProblem.class,
            () ->
                TokenizerFile.read(
                    TestTokenizer.json()
                        .replace("\"ids\": [3]", "\"ids\": [3, 3, 3]")
                        .getBytes(StandardCharsets.UTF_8),
                    4));
    assertThat(problem.fault()).isEqualTo(ModelFault.BAD_MANIFEST);
  }
}
