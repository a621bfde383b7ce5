package dev.parlance.control.embed;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.parlance.onnx.ModelFault;
import dev.parlance.onnx.ModelFiles;
import dev.parlance.onnx.ModelFiles.FolderFiles;
import dev.parlance.onnx.ModelProblem;
import dev.parlance.onnx.OnnxRuntime;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Makes the manifest of a folder that has a model and a tokenizer: for encoders that come from
 * elsewhere.
 *
 * @param id the encoder's id
 * @param pooling {@code none}, {@code mean} or {@code cls}; absent: as the model's outputs suggest
 * @param output the model's output to read; absent: the known or the only one
 * @param dim length of the vectors, where the model does not say
 * @param maxTokens longest input
 * @param cosMin the least cosine at which two texts say the same, if it is known
 * @param normalizes true if vectors are brought to length one
 */
public record ManifestDraft(
    String id,
    Optional<String> pooling,
    Optional<String> output,
    Optional<Integer> dim,
    int maxTokens,
    Optional<Double> cosMin,
    boolean normalizes) {

  /** What came of it. */
  public sealed interface Result {
    /**
     * A manifest that this version reads.
     *
     * @param json its text
     */
    record Made(String json) implements Result {}

    /** None. */
    record Refused(ModelFault fault, String detail) implements Result {}
  }

  /** Looks at the files of a folder and writes nothing. */
  public Result of(Path dir) {
    FolderFiles files = new FolderFiles(dir);
    try (Arena arena = Arena.ofConfined()) {
      ByteBuffer tokenizer = files.read(EncoderManifest.TOKENIZER, ModelFiles.MAX_TOKENIZER, arena);
      ByteBuffer model = files.read(EncoderManifest.MODEL, ModelFiles.MAX_MODEL, arena);
      OnnxOutputs.Chosen chosen = chosen(model);
      Optional<Integer> length = dim.or(chosen::dim);
      if (length.isEmpty()) {
        return new Result.Refused(
            ModelFault.BAD_MODEL, "the model does not say how long its vectors are; say it for it");
      }
      String json = json(chosen, length.get(), model, tokenizer);
      EncoderManifest.read(json.getBytes(StandardCharsets.UTF_8));
      return new Result.Made(json);
    } catch (ModelProblem e) {
      return new Result.Refused(e.fault(), e.detail());
    }
  }

  private OnnxOutputs.Chosen chosen(ByteBuffer model) throws ModelProblem {
    try (OrtSession session = OnnxRuntime.open(model)) {
      OnnxOutputs outputs = OnnxOutputs.of(session);
      if (pooling.isEmpty()) {
        return outputs.guess(output);
      }
      return outputs.choose(
          EncoderManifest.Pooling.of(pooling.get())
              .orElseThrow(() ->
                  new ModelProblem(
                      ModelFault.BAD_MANIFEST,
                      "pooling: expected none, mean or cls, got " + pooling.get())),
          output);
    } catch (OrtException e) {
      throw new ModelProblem(ModelFault.BAD_MODEL, "the model cannot be read: " + e.getMessage());
    }
  }

  private String json(
      OnnxOutputs.Chosen chosen, int length, ByteBuffer model, ByteBuffer tokenizer) {
    StringBuilder out = new StringBuilder("{\n");
    member(out, "format", quoted(EncoderManifest.FORMAT));
    member(out, "id", quoted(id));
    member(out, "dim", Integer.toString(length));
    member(out, "tokenizer", quoted("wordpiece"));
    member(out, "pooling", quoted(chosen.pooling().code()));
    if (normalizes) {
      member(out, "normalize", "true");
    }
    output.ifPresent(name -> member(out, "output", quoted(name)));
    member(out, "maxTokens", Integer.toString(maxTokens));
    cosMin.ifPresent(value -> member(out, "cosMin", Double.toString(value)));
    return out.append("  \"files\": {\n    \"model.onnx\": ")
        .append(quoted(ModelFiles.sha256(model)))
        .append(",\n    \"tokenizer.json\": ")
        .append(quoted(ModelFiles.sha256(tokenizer)))
        .append("\n  }\n}\n")
        .toString();
  }

  private static void member(StringBuilder out, String name, String value) {
    out.append("  ").append(quoted(name)).append(": ").append(value).append(",\n");
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\' || c > '~') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
