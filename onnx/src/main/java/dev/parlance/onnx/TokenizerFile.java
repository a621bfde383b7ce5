package dev.parlance.onnx;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Reads {@code tokenizer.json}, the format of the Hugging Face tokenizers, as far as {@link
 * WordPiece} goes. Whatever would tokenise otherwise is refused, never passed over.
 *
 * <pre>
 * member          taken
 * model           WordPiece
 * normalizer      BertNormalizer
 * pre_tokenizer   BertPreTokenizer
 * post_processor  TemplateProcessing, BertProcessing, or none
 * added_tokens    special ones (in a text they are text)
 * truncation, padding, decoder, version   no say: the manifest's maxTokens cuts
 * </pre>
 */
public final class TokenizerFile {
  private static final String NAME = "tokenizer.json";
  private static final ModelFault FAULT = ModelFault.BAD_TOKENIZER;
  private static final int MAX_ID = 9_999_999;
  private static final int MAX_WORD_CHARS = 1_000;
  private static final int MAX_FRAME = 16;

  private TokenizerFile() {}

  /**
   * The tokenizer of a file.
   *
   * @param maxTokens most tokens of a text, from the manifest
   */
  public static WordPiece read(byte[] json, int maxTokens) throws ModelProblem {
    return read(json, maxTokens, /* pairs= */ false);
  }

  /** A tokenizer of pairs of texts. */
  static WordPiece ofPairs(byte[] json, int maxTokens) throws ModelProblem {
    return read(json, maxTokens, /* pairs= */ true);
  }

  /**
   * A tokenizer of pairs from BERT's older form, {@code vocab.txt}: a piece a line, numbered from
   * 0.
   *
   * @param lowers true if letters become small and lose their marks
   */
  static WordPiece ofVocabulary(byte[] text, boolean lowers, int maxTokens) throws ModelProblem {
    Map<String, Integer> vocabulary = new HashMap<>();
    for (String piece : new String(text, StandardCharsets.UTF_8).lines().toList()) {
      if (vocabulary.put(piece.strip(), vocabulary.size()) != null) {
        throw new ModelProblem(FAULT, "vocab.txt: a piece stands twice");
      }
    }
    return tokenizer(
        new WordPiece.Pieces(vocabulary, special(vocabulary, "[UNK]"), "##", 100),
        new WordPiece.Preparation(true, true, lowers, lowers),
        Frames.ofBert(special(vocabulary, "[CLS]"), special(vocabulary, "[SEP]")),
        maxTokens);
  }

  private static int special(Map<String, Integer> vocabulary, String piece) throws ModelProblem {
    Integer id = vocabulary.get(piece);
    if (id == null) {
      throw new ModelProblem(FAULT, "vocab.txt: there is no line " + piece);
    }
    return id;
  }

  private static WordPiece read(byte[] json, int maxTokens, boolean pairs) throws ModelProblem {
    ManifestFields root = ManifestFields.of(json, NAME, FAULT);
    root.ignore("version", "truncation", "padding", "decoder");
    WordPiece.Pieces pieces = pieces(root.object("model"));
    addedTokens(root, pieces);
    WordPiece.Preparation preparation = preparation(root.object("normalizer"));
    ManifestFields preTokenizer = root.object("pre_tokenizer");
    type(preTokenizer, "BertPreTokenizer");
    preTokenizer.done();
    Frames frames = root.has("post_processor") ? frames(root, pairs) : Frames.NONE;
    root.done();
    if (pairs && frames.pair.isEmpty()) {
      throw root.wrong("post_processor", "what stands around two texts");
    }
    return tokenizer(pieces, preparation, frames, maxTokens);
  }

  private static WordPiece tokenizer(
      WordPiece.Pieces pieces, WordPiece.Preparation preparation, Frames frames, int maxTokens)
      throws ModelProblem {
    int most = Math.max(frames.single.size(), frames.pair.map(WordPiece.PairFrame::size).orElse(0));
    if (most >= maxTokens) {
      throw new ModelProblem(
          ModelFault.BAD_MANIFEST,
          "maxTokens: got " + maxTokens + ", expected more than the special tokens");
    }
    return new WordPiece(pieces, preparation, frames.single, frames.pair, maxTokens);
  }

  /** What stands around texts. */
  private record Frames(WordPiece.Frame single, Optional<WordPiece.PairFrame> pair) {
    static final Frames NONE =
        new Frames(
            new WordPiece.Frame(new long[0], new long[0], new long[0], new long[0], 0),
            Optional.empty());

    /** BERT's own: {@code [CLS] A [SEP] B [SEP]}. */
    static Frames ofBert(long cls, long sep) {
      long[] begin = {cls};
      long[] end = {sep};
      WordPiece.Frame first = new WordPiece.Frame(begin, new long[1], end, new long[1], 0);
      WordPiece.Frame second =
          new WordPiece.Frame(new long[0], new long[0], end, new long[] {1}, 1);
      return new Frames(first, Optional.of(new WordPiece.PairFrame(first, second)));
    }
  }

  private static void type(ManifestFields fields, String expected) throws ModelProblem {
    if (!fields.text("type").equals(expected)) {
      throw fields.wrong("type", expected);
    }
  }

  private static WordPiece.Pieces pieces(ManifestFields model) throws ModelProblem {
    // Old files do not say the type; only this one has the member with the prefix and a vocabulary.
    if (model.has("type")) {
      type(model, "WordPiece");
    }
    String unknown = model.text("unk_token");
    String prefix = model.text("continuing_subword_prefix");
    int maxWordChars = model.number("max_input_chars_per_word", 1, MAX_WORD_CHARS);
    JsonNode vocab = model.value("vocab").orElseThrow(() -> model.wrong("vocab", "an object"));
    if (!vocab.isObject() || vocab.isEmpty()) {
      throw model.wrong("vocab", "an object with members");
    }
    model.done();
    Map<String, Integer> vocabulary = HashMap.newHashMap(vocab.size());
    for (Map.Entry<String, JsonNode> piece : vocab.properties()) {
      vocabulary.put(piece.getKey(), id(piece.getValue()));
    }
    Integer unknownId = vocabulary.get(unknown);
    if (unknownId == null) {
      throw model.wrong("unk_token", "a token of the vocabulary");
    }
    return new WordPiece.Pieces(vocabulary, unknownId, prefix, maxWordChars);
  }

  private static int id(JsonNode node) throws ModelProblem {
    if (!node.isIntegralNumber()
        || !node.canConvertToInt()
        || node.intValue() < 0
        || node.intValue() > MAX_ID) {
      throw new ModelProblem(FAULT, NAME + ": a token's number that is none from 0 to " + MAX_ID);
    }
    return node.intValue();
  }

  private static void addedTokens(ManifestFields root, WordPiece.Pieces pieces)
      throws ModelProblem {
    if (!root.has("added_tokens")) {
      return;
    }
    for (ManifestFields token : root.objects("added_tokens")) {
      token.ignore("single_word", "lstrip", "rstrip", "normalized");
      int id = token.number("id", 0, MAX_ID);
      Integer inVocabulary = pieces.vocabulary().get(token.text("content"));
      if (inVocabulary != null && inVocabulary != id) {
        throw token.wrong("id", "the vocabulary's " + inVocabulary);
      }
      if (!token.optionalFlag("special").orElse(false)) {
        throw token.wrong("special", "true: tokens added for texts are not read here");
      }
      token.done();
    }
  }

  private static WordPiece.Preparation preparation(ManifestFields normalizer) throws ModelProblem {
    type(normalizer, "BertNormalizer");
    boolean lowers = normalizer.optionalFlag("lowercase").orElse(true);
    WordPiece.Preparation preparation =
        new WordPiece.Preparation(
            normalizer.optionalFlag("clean_text").orElse(true),
            normalizer.optionalFlag("handle_chinese_chars").orElse(true),
            normalizer.optionalFlag("strip_accents").orElse(lowers),
            lowers);
    normalizer.done();
    return preparation;
  }

  private static Frames frames(ManifestFields root, boolean pairs) throws ModelProblem {
    ManifestFields processor = root.object("post_processor");
    if (processor.text("type").equals("BertProcessing")) {
      Frames frames = Frames.ofBert(pairId(processor, "cls"), pairId(processor, "sep"));
      processor.done();
      return frames;
    }
    type(processor, "TemplateProcessing");
    processor.ignore("pair");
    Map<String, long[]> specials = specials(processor);
    WordPiece.Frame single = template(processor, "single", specials, "A").getFirst();
    Optional<WordPiece.PairFrame> pair = Optional.empty();
    if (pairs) {
      List<WordPiece.Frame> both = template(processor, "pair", specials, "A", "B");
      pair = Optional.of(new WordPiece.PairFrame(both.getFirst(), both.getLast()));
    }
    processor.done();
    return new Frames(single, pair);
  }

  /** What stands around each text; what is between two of them stands before the second. */
  private static List<WordPiece.Frame> template(
      ManifestFields processor, String name, Map<String, long[]> specials, String... texts)
      throws ModelProblem {
    ModelProblem wrong =
        processor.wrong(
            name,
            "the texts "
                + String.join(", ", texts)
                + " in this order and at most "
                + MAX_FRAME
                + " special tokens");
    List<WordPiece.Frame> frames = new ArrayList<>();
    Specials between = new Specials();
    Specials before = between;
    int textType = 0;
    int found = 0;
    int size = 0;
    for (ManifestFields piece : processor.objects(name)) {
      if (piece.has("Sequence")) {
        ManifestFields sequence = piece.object("Sequence");
        if (found == texts.length || !sequence.text("id").equals(texts[found])) {
          throw wrong;
        }
        if (found > 0) {
          frames.add(before.around(new Specials(), textType));
        }
        before = between;
        between = new Specials();
        textType = sequence.number("type_id", 0, 1);
        found++;
        sequence.done();
      } else {
        ManifestFields special = piece.object("SpecialToken");
        long[] of = specials.get(special.text("id"));
        if (of == null) {
          throw special.wrong("id", "one of special_tokens");
        }
        between.add(of, special.number("type_id", 0, 1));
        size += of.length;
        special.done();
      }
      piece.done();
    }
    if (found != texts.length || size > MAX_FRAME) {
      throw wrong;
    }
    frames.add(before.around(between, textType));
    return frames;
  }

  /** Special tokens in a row. */
  private static final class Specials {
    private final List<Long> ids = new ArrayList<>();
    private final List<Long> types = new ArrayList<>();

    void add(long[] of, long type) {
      for (long id : of) {
        ids.add(id);
        types.add(type);
      }
    }

    /** These before a text, the others after it. */
    WordPiece.Frame around(Specials after, int textType) {
      return new WordPiece.Frame(
          longs(ids), longs(types), longs(after.ids), longs(after.types), textType);
    }
  }

  private static Map<String, long[]> specials(ManifestFields processor) throws ModelProblem {
    ManifestFields all = processor.object("special_tokens");
    Map<String, long[]> specials = new HashMap<>();
    for (String name : all.names()) {
      List<Long> ids = new ArrayList<>();
      ManifestFields special = all.object(name);
      for (JsonNode each : special.list("ids")) {
        ids.add((long) id(each));
      }
      specials.put(name, longs(ids));
    }
    return specials;
  }

  /** The number in {@code ["[SEP]", 102]}. */
  private static int pairId(ManifestFields processor, String name) throws ModelProblem {
    List<JsonNode> pair = List.copyOf(processor.list(name));
    if (pair.size() != 2 || !pair.getFirst().isString()) {
      throw processor.wrong(name, "a token and its number");
    }
    return id(pair.getLast());
  }

  private static long[] longs(Collection<Long> values) {
    return values.stream().mapToLong(Long::longValue).toArray();
  }
}
