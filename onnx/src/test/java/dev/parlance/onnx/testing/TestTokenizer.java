package dev.parlance.onnx.testing;

import java.util.List;

/** A small tokenizer for tests. */
public final class TestTokenizer {
  /** Pieces of the tokenizer, by number. */
  public static final List<String> VOCABULARY =
      List.of(
          "[PAD]",
          "[UNK]",
          "[CLS]",
          "[SEP]",
          "[MASK]",
          "want",
          "##want",
          "##ed",
          "wa",
          "un",
          "runn",
          "##ing",
          "hello",
          "how",
          "are",
          "you",
          "!",
          "?",
          ",",
          "both",
          "parties",
          "keep",
          "a",
          "copy",
          "of",
          "this",
          "agreement",
          "for",
          "at",
          "least",
          "seven",
          "years",
          "after",
          "it",
          "has",
          "ended",
          ".",
          "ah",
          "\u535A",
          "\u63A8",
          "zz",
          "[",
          "]",
          "sep",
          "mask",
          "-",
          "\u03BF\u03B4\u03BF\u03C3",
          "i",
          "\uD83D\uDE00",
          "x",
          "##x");

  private TestTokenizer() {}

  private static String vocabulary() {
    StringBuilder out = new StringBuilder("{");
    for (int i = 0; i < VOCABULARY.size(); i++) {
      out.append(i == 0 ? "" : ",").append(quoted(VOCABULARY.get(i))).append(':').append(i);
    }
    return out.append('}').toString();
  }

  /** A tokenizer's file as the usual tools write it. */
  public static String json() {
    return """
    {"version": "1.0",
     "truncation": {"direction": "Right", "max_length": 8, "strategy": "LongestFirst", "stride": 0},
     "padding": {"strategy": {"Fixed": 8}, "direction": "Right", "pad_id": 0, "pad_token": "[PAD]"},
     "added_tokens": [
       {"id": 0, "content": "[PAD]", "single_word": false, "lstrip": false, "rstrip": false,
        "normalized": false, "special": true},
       {"id": 3, "content": "[SEP]", "single_word": false, "lstrip": false, "rstrip": false,
        "normalized": false, "special": true}],
     "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                    "strip_accents": null, "lowercase": true},
     "pre_tokenizer": {"type": "BertPreTokenizer"},
     "post_processor": {"type": "TemplateProcessing",
       "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                  {"Sequence": {"id": "A", "type_id": 0}},
                  {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
       "pair": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}, {"SpecialToken": {"id": "[SEP]", "type_id": 1}}],
       "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
                          "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}},
     "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
     "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
               "max_input_chars_per_word": 100, "vocab": VOCAB}}
    """
        .replace("VOCAB", vocabulary());
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
