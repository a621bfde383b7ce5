package dev.parlance.control.embed;

import dev.parlance.encoder.NgramInput;
import dev.parlance.onnx.ManifestFields;
import dev.parlance.onnx.ModelFault;
import dev.parlance.onnx.ModelProblem;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.text.Coded;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a folder's {@code manifest.json} says. Its form is in docs/encoders.md.
 *
 * @param id the encoder's id, a {@link RoundNames name}
 * @param dim length of its vectors, 1 to 8,192
 * @param input how texts become rows
 * @param pooling how vectors of tokens become one
 * @param normalizes true if vectors are brought to length one
 * @param output the model's output that is read; absent: the one that is known, or the only one
 * @param maxTokens longest input, 4 to 8,192; what is longer is cut
 * @param cosMin the least cosine at which it holds two texts to say the same, in (-1,1]
 * @param topicCosMin the least cosine at which it holds two texts to be of one topic, in (-1,1]
 * @param runsTogether false if texts are never run together, nor filled up: a text's vector is then
 *     what the model gives for its own tokens and nothing else
 * @param files hex SHA-256 of each file by name
 */
record EncoderManifest(
    String id,
    int dim,
    Input input,
    Pooling pooling,
    boolean normalizes,
    Optional<String> output,
    int maxTokens,
    Optional<Double> cosMin,
    Optional<Double> topicCosMin,
    boolean runsTogether,
    Map<String, String> files) {
  /** Name of the manifest itself. */
  static final String NAME = "manifest.json";

  /** Name of the model. */
  static final String MODEL = "model.onnx";

  /** Name of the tokenizer. */
  static final String TOKENIZER = "tokenizer.json";

  /** What {@code format} must be. */
  static final String FORMAT = "parlance-encoder-1";

  static final int LEAST_TOKENS = 4;
  static final int MOST_TOKENS = 8_192;

  private static final ModelFault FAULT = ModelFault.BAD_MANIFEST;
  private static final int MAX_OUTPUT_CHARS = 200;

  /** How texts become rows. */
  sealed interface Input {
    /** Hashed n-grams, the built-in encoder's input. */
    record Ngrams(NgramInput ngrams) implements Input {}

    /** Word pieces, as {@code tokenizer.json} says. */
    record WordPieces() implements Input {}
  }

  /** How vectors of tokens become one of the text. */
  enum Pooling implements Coded {
    /** The model does it itself. */
    NONE,
    /** The mean over the text's tokens. */
    MEAN,
    /** The first token's. */
    CLS;

    static Optional<Pooling> of(String code) {
      return Coded.find(values(), code);
    }
  }

  EncoderManifest {
    files = Map.copyOf(files);
  }

  /** Reads a manifest. */
  static EncoderManifest read(byte[] json) throws ModelProblem {
    ManifestFields root = ManifestFields.of(json, NAME, FAULT);
    if (!root.text("format").equals(FORMAT)) {
      throw root.wrong("format", FORMAT);
    }
    int maxTokens = root.number("maxTokens", LEAST_TOKENS, MOST_TOKENS);
    Input input = input(root, maxTokens);
    EncoderManifest manifest =
        new EncoderManifest(
            id(root),
            root.number("dim", 1, Encoding.MAX_DIM),
            input,
            Pooling.of(root.text("pooling"))
                .orElseThrow(() -> root.wrong("pooling", "none, mean or cls")),
            root.optionalFlag("normalize").orElse(false),
            output(root),
            maxTokens,
            cosine(root, "cosMin"),
            cosine(root, "topicCosMin"),
            root.optionalFlag("together").orElse(true),
            files(root, input));
    root.done();
    if (input instanceof Input.Ngrams && manifest.pooling != Pooling.NONE) {
      throw root.wrong("pooling", "none with n-grams");
    }
    return manifest;
  }

  private static String id(ManifestFields root) throws ModelProblem {
    String id = root.text("id");
    if (!RoundNames.isName(id) || id.equals(Encoding.NONE)) {
      throw root.wrong("id", "letters, digits and ._:/-, and not none");
    }
    return id;
  }

  private static Input input(ManifestFields root, int maxTokens) throws ModelProblem {
    String tokenizer = root.text("tokenizer");
    return switch (tokenizer) {
      case "wordpiece" -> new Input.WordPieces();
      case "ngram" -> {
        ManifestFields ngram = root.object("ngram");
        String form = ngram.text("form");
        int rows = ngram.number("rows", 1, Integer.MAX_VALUE);
        ngram.done();
        try {
          yield new Input.Ngrams(new NgramInput(form, rows, maxTokens));
        } catch (IllegalArgumentException e) {
          throw new ModelProblem(FAULT, NAME + "/ngram: " + e.getMessage());
        }
      }
      default -> throw root.wrong("tokenizer", "wordpiece or ngram");
    };
  }

  private static Optional<String> output(ManifestFields root) throws ModelProblem {
    Optional<String> output = root.optionalText("output");
    if (output.isPresent()
        && (output.get().isEmpty() || output.get().length() > MAX_OUTPUT_CHARS)) {
      throw root.wrong("output", "the name of an output");
    }
    return output;
  }

  private static Optional<Double> cosine(ManifestFields root, String name) throws ModelProblem {
    Optional<Double> cosine = root.optionalDecimal(name);
    if (cosine.isPresent() && !(cosine.get() > -1.0 && cosine.get() <= 1.0)) {
      throw root.wrong(name, "a number above -1 and up to 1");
    }
    return cosine;
  }

  private static Map<String, String> files(ManifestFields root, Input input) throws ModelProblem {
    ManifestFields files = root.object("files");
    Map<String, String> digests = new TreeMap<>();
    digests.put(MODEL, files.sha256(MODEL));
    switch (input) {
      case Input.WordPieces() -> digests.put(TOKENIZER, files.sha256(TOKENIZER));
      case Input.Ngrams _ -> {}
    }
    files.done();
    return digests;
  }
}
