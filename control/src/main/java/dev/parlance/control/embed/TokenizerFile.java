package dev.parlance.control.embed;

import dev.parlance.control.embed.EncoderStatus.EncoderFault;
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
 * post_processor  TemplateProcessing with one text, BertProcessing, or none
 * added_tokens    special ones (in a text they are text)
 * truncation, padding, decoder, version   no say: the manifest's maxTokens cuts
 * </pre>
 */
final class TokenizerFile {
  private static final String NAME = "tokenizer.json";
  private static final EncoderFault FAULT = EncoderFault.BAD_TOKENIZER;
  private static final int MAX_ID = 9_999_999;
  private static final int MAX_WORD_CHARS = 1_000;
  private static final int MAX_FRAME = 16;

  private TokenizerFile() {}

  /**
   * The tokenizer of a file.
   *
   * @param maxTokens most tokens of a text, from the manifest
   */
  static WordPiece read(byte[] json, int maxTokens) throws EncoderProblem {
    ManifestFields root = ManifestFields.of(json, NAME, FAULT);
    root.ignore("version", "truncation", "padding", "decoder");
    WordPiece.Pieces pieces = pieces(root.object("model"));
    addedTokens(root, pieces);
    WordPiece.Preparation preparation = preparation(root.object("normalizer"));
    ManifestFields preTokenizer = root.object("pre_tokenizer");
    type(preTokenizer, "BertPreTokenizer");
    preTokenizer.done();
    WordPiece.Frame frame =
        root.has("post_processor")
            ? frame(root.object("post_processor"))
            : new WordPiece.Frame(new long[0], new long[0], new long[0], new long[0], 0);
    root.done();
    if (frame.size() >= maxTokens) {
      throw new EncoderProblem(
          EncoderFault.BAD_MANIFEST,
          "maxTokens: got " + maxTokens + ", expected more than the special tokens");
    }
    return new WordPiece(pieces, preparation, frame, maxTokens);
  }

  private static void type(ManifestFields fields, String expected) throws EncoderProblem {
    if (!fields.text("type").equals(expected)) {
      throw fields.wrong("type", expected);
    }
  }

  private static WordPiece.Pieces pieces(ManifestFields model) throws EncoderProblem {
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

  private static int id(JsonNode node) throws EncoderProblem {
    if (!node.isIntegralNumber()
        || !node.canConvertToInt()
        || node.intValue() < 0
        || node.intValue() > MAX_ID) {
      throw new EncoderProblem(FAULT, NAME + ": a token's number that is none from 0 to " + MAX_ID);
    }
    return node.intValue();
  }

  private static void addedTokens(ManifestFields root, WordPiece.Pieces pieces)
      throws EncoderProblem {
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

  private static WordPiece.Preparation preparation(ManifestFields normalizer)
      throws EncoderProblem {
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

  private static WordPiece.Frame frame(ManifestFields processor) throws EncoderProblem {
    if (processor.text("type").equals("BertProcessing")) {
      long[] before = {pairId(processor, "cls")};
      long[] after = {pairId(processor, "sep")};
      processor.done();
      return new WordPiece.Frame(before, new long[1], after, new long[1], 0);
    }
    type(processor, "TemplateProcessing");
    processor.ignore("pair");
    Map<String, long[]> specials = specials(processor);
    List<Long> ids = new ArrayList<>();
    List<Long> types = new ArrayList<>();
    Optional<Integer> textAt = Optional.empty();
    int textType = 0;
    for (ManifestFields piece : processor.objects("single")) {
      if (piece.has("Sequence")) {
        ManifestFields sequence = piece.object("Sequence");
        if (textAt.isPresent() || !sequence.text("id").equals("A")) {
          throw processor.wrong("single", "one Sequence A");
        }
        textAt = Optional.of(ids.size());
        textType = sequence.number("type_id", 0, 1);
        sequence.done();
      } else {
        ManifestFields special = piece.object("SpecialToken");
        long[] of = specials.get(special.text("id"));
        if (of == null) {
          throw special.wrong("id", "one of special_tokens");
        }
        long type = special.number("type_id", 0, 1);
        for (long id : of) {
          ids.add(id);
          types.add(type);
        }
        special.done();
      }
      piece.done();
    }
    processor.done();
    if (textAt.isEmpty() || ids.size() > MAX_FRAME) {
      throw processor.wrong("single", "a Sequence A and at most " + MAX_FRAME + " special tokens");
    }
    int at = textAt.get();
    return new WordPiece.Frame(
        longs(ids.subList(0, at)),
        longs(types.subList(0, at)),
        longs(ids.subList(at, ids.size())),
        longs(types.subList(at, ids.size())),
        textType);
  }

  private static Map<String, long[]> specials(ManifestFields processor) throws EncoderProblem {
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
  private static int pairId(ManifestFields processor, String name) throws EncoderProblem {
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
