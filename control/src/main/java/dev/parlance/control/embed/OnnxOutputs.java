package dev.parlance.control.embed;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import dev.parlance.onnx.ModelFault;
import dev.parlance.onnx.ModelProblem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The outputs of a model, and which of them is read. */
final class OnnxOutputs {
  private static final ModelFault FAULT = ModelFault.BAD_MODEL;
  private static final List<String> OF_TEXT = List.of("embedding", "sentence_embedding");
  private static final List<String> OF_TOKENS = List.of("last_hidden_state", "token_embeddings");

  /**
   * An output.
   *
   * @param dim length of its vectors, if the model fixes it
   */
  record Chosen(String name, EncoderManifest.Pooling pooling, Optional<Integer> dim) {}

  private final Map<String, NodeInfo> found;

  private OnnxOutputs(Map<String, NodeInfo> found) {
    this.found = found;
  }

  static OnnxOutputs of(OrtSession session) throws OrtException {
    return new OnnxOutputs(session.getOutputInfo());
  }

  /** The output that a pooling reads: the named one, a known one, or the only one. */
  Chosen choose(EncoderManifest.Pooling pooling, Optional<String> named) throws ModelProblem {
    List<String> known = pooling == EncoderManifest.Pooling.NONE ? OF_TEXT : OF_TOKENS;
    String name =
        named
            .or(() -> known.stream().filter(found::containsKey).findFirst())
            .orElse(found.size() == 1 ? found.keySet().iterator().next() : "");
    NodeInfo node = found.get(name);
    if (node == null) {
      throw new ModelProblem(
          FAULT,
          "the model's outputs are "
              + new TreeSet<>(found.keySet())
              + ", expected "
              + named.orElseGet(() -> String.join(" or ", known))
              + "; the manifest can name another");
    }
    int rank = pooling == EncoderManifest.Pooling.NONE ? 2 : 3;
    if (!(node.getInfo() instanceof TensorInfo tensor)
        || tensor.type != OnnxJavaType.FLOAT
        || tensor.getShape().length != rank) {
      throw new ModelProblem(
          FAULT,
          "the model's output "
              + name
              + " is "
              + node.getInfo()
              + ", expected FLOAT with "
              + rank
              + " dimensions for pooling "
              + pooling.code());
    }
    long dim = tensor.getShape()[rank - 1];
    return new Chosen(
        name,
        pooling,
        dim > 0 && dim <= Integer.MAX_VALUE ? Optional.of((int) dim) : Optional.empty());
  }

  /**
   * The output of a model about which nothing is said: one vector per text if there is a known one,
   * else the mean over the tokens.
   */
  Chosen guess(Optional<String> named) throws ModelProblem {
    boolean hasTexts =
        named.isPresent()
            ? named.map(found::get).map(OnnxOutputs::rank).orElse(0) == 2
            : OF_TEXT.stream().anyMatch(found::containsKey);
    return choose(hasTexts ? EncoderManifest.Pooling.NONE : EncoderManifest.Pooling.MEAN, named);
  }

  /** Number of axes; 0 for what is no tensor. */
  private static int rank(NodeInfo node) {
    return node.getInfo() instanceof TensorInfo tensor ? tensor.getShape().length : 0;
  }
}
