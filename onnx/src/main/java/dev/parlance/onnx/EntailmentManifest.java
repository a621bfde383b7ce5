package dev.parlance.onnx;

import dev.parlance.policy.text.Coded;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What the {@code manifest.json} of an entailment classifier says. Its form is in
 * docs/entailment.md.
 *
 * @param id what it is called in logs
 * @param tokenizer which file has the tokenizer
 * @param lowers true if letters become small; of {@code vocab.txt}, which does not say so itself
 * @param labels in the order of the model's output
 * @param output the model's output that is read; absent: {@code logits}, or the only one
 * @param maxTokens longest pair of texts, {@value #LEAST_TOKENS} to {@value #MOST_TOKENS}
 * @param files hex SHA-256 of each file by name
 */
record EntailmentManifest(
    String id,
    Tokenizer tokenizer,
    boolean lowers,
    List<Label> labels,
    Optional<String> output,
    int maxTokens,
    Map<String, String> files) {
  static final String NAME = "manifest.json";
  static final String MODEL = "model.onnx";
  static final String FORMAT = "parlance-entailment-1";
  static final int LEAST_TOKENS = 16;
  static final int MOST_TOKENS = 512;

  private static final int MAX_NAME = 200;

  /** What a class of the model stands for. */
  enum Label implements Coded {
    ENTAILMENT,
    NEUTRAL,
    CONTRADICTION
  }

  /** Where the tokenizer stands. */
  enum Tokenizer {
    JSON("tokenizer.json"),
    VOCABULARY("vocab.txt");

    private final String file;

    Tokenizer(String file) {
      this.file = file;
    }

    String file() {
      return file;
    }
  }

  EntailmentManifest {
    labels = List.copyOf(labels);
    files = Map.copyOf(files);
  }

  /** Reads a manifest. */
  static EntailmentManifest read(byte[] json) throws ModelProblem {
    ManifestFields root = ManifestFields.of(json, NAME, ModelFault.BAD_MANIFEST);
    if (!root.text("format").equals(FORMAT)) {
      throw root.wrong("format", FORMAT);
    }
    ManifestFields files = root.object("files");
    Tokenizer tokenizer =
        files.has(Tokenizer.VOCABULARY.file()) ? Tokenizer.VOCABULARY : Tokenizer.JSON;
    EntailmentManifest manifest =
        new EntailmentManifest(
            name(root, "id").orElseThrow(() -> root.wrong("id", "a name")),
            tokenizer,
            tokenizer == Tokenizer.VOCABULARY
                && root.optionalFlag("lowercase")
                    .orElseThrow(() -> root.wrong("lowercase", "true or false with vocab.txt")),
            labels(root),
            name(root, "output"),
            root.number("maxTokens", LEAST_TOKENS, MOST_TOKENS),
            Map.of(MODEL, files.sha256(MODEL), tokenizer.file(), files.sha256(tokenizer.file())));
    files.done();
    root.done();
    return manifest;
  }

  private static Optional<String> name(ManifestFields root, String name) throws ModelProblem {
    Optional<String> text = root.optionalText(name);
    if (text.isPresent() && (text.get().isBlank() || text.get().length() > MAX_NAME)) {
      throw root.wrong(name, "a name of at most " + MAX_NAME + " characters");
    }
    return text;
  }

  private static List<Label> labels(ManifestFields root) throws ModelProblem {
    List<Label> labels = new ArrayList<>();
    for (JsonNode each : root.list("labels")) {
      Coded.find(Label.values(), each.asString("")).ifPresent(labels::add);
    }
    if (root.list("labels").size() != Label.values().length
        || new HashSet<>(labels).size() != Label.values().length) {
      throw root.wrong("labels", "entailment, neutral and contradiction, in the model's order");
    }
    return labels;
  }
}
