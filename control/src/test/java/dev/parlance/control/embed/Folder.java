package dev.parlance.control.embed;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** An encoder's folder for tests, good unless a test spoils it. */
final class Folder {
  /** Pieces of the tokenizer, by number. */
  static final List<String> VOCABULARY =
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

  private final Path dir;
  final Map<String, Object> manifest = new TreeMap<>();

  private Folder(Path dir) {
    this.dir = dir;
  }

  /** A folder with word pieces and a model that pools by the manifest. */
  static Folder at(Path dir, byte[] model, int dim, String pooling) throws IOException {
    Folder folder = new Folder(dir);
    folder.manifest.put("format", "parlance-encoder-1");
    folder.manifest.put("id", "test-encoder");
    folder.manifest.put("dim", dim);
    folder.manifest.put("tokenizer", "wordpiece");
    folder.manifest.put("pooling", pooling);
    folder.manifest.put("maxTokens", 64);
    folder.manifest.put("cosMin", 0.75);
    folder.write("model.onnx", model);
    folder.write("tokenizer.json", tokenizer().getBytes(StandardCharsets.UTF_8));
    folder.seal();
    return folder;
  }

  Path dir() {
    return dir;
  }

  void write(String name, byte[] bytes) throws IOException {
    Files.createDirectories(dir);
    Files.write(dir.resolve(name), bytes);
  }

  /** Writes the manifest with the digests of the files as they are. */
  void seal() throws IOException {
    manifest.put(
        "files",
        Map.of(
            "model.onnx", digest("model.onnx"),
            "tokenizer.json", digest("tokenizer.json")));
    writeManifest();
  }

  /** Writes the manifest as it is. */
  void writeManifest() throws IOException {
    write("manifest.json", json(manifest).getBytes(StandardCharsets.UTF_8));
  }

  private String digest(String name) throws IOException {
    return Embedders.sha256(ByteBuffer.wrap(Files.readAllBytes(dir.resolve(name))));
  }

  static String json(Object value) {
    return switch (value) {
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(each -> json(each.getKey()) + ":" + json(each.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case List<?> list ->
          list.stream().map(Folder::json).collect(Collectors.joining(",", "[", "]"));
      case String text -> "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
      default -> value.toString();
    };
  }

  static String vocabulary() {
    StringBuilder out = new StringBuilder("{");
    for (int i = 0; i < VOCABULARY.size(); i++) {
      out.append(i == 0 ? "" : ",").append(json(VOCABULARY.get(i))).append(':').append(i);
    }
    return out.append('}').toString();
  }

  /** A tokenizer's file as the usual tools write it. */
  static String tokenizer() {
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
       "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
       "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
                          "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}},
     "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
     "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
               "max_input_chars_per_word": 100, "vocab": VOCAB}}
    """
        .replace("VOCAB", vocabulary());
  }
}
