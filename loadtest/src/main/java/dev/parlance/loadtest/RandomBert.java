package dev.parlance.loadtest;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Writes an encoder with the shape of a sentence encoder and random weights. It says nothing about
 * meaning; what it costs to run is what a trained one of this shape costs.
 *
 * <pre>
 * x = norm(word[ids] + position + segment[types])
 * each layer: x = norm(x + attention(x)), x = norm(x + gelu(x W1) W2)
 * </pre>
 */
final class RandomBert {
  /** As all-MiniLM-L6-v2 has it: 22.7 million weights. */
  static RandomBert miniLmL6() {
    return new RandomBert(6, 384, 12, 1_536, 30_522, 512);
  }

  private static final int FLOAT = TensorProto.DataType.FLOAT_VALUE;
  private static final int INT64 = TensorProto.DataType.INT64_VALUE;

  private final int layers;
  private final int dim;
  private final int heads;
  private final int inner;
  private final int words;
  private final int positions;
  private final SplittableRandom random = new SplittableRandom(1);
  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("random-bert");
  private long weights;

  private RandomBert(int layers, int dim, int heads, int inner, int words, int positions) {
    this.layers = layers;
    this.dim = dim;
    this.heads = heads;
    this.inner = inner;
    this.words = words;
    this.positions = positions;
  }

  /**
   * Writes model.onnx and tokenizer.json.
   *
   * @param texts words that are to be pieces of their own
   * @return number of weights
   */
  long write(Path folder, List<String> texts) throws IOException {
    build();
    try (OutputStream out = Files.newOutputStream(folder.resolve("model.onnx"))) {
      ModelProto.newBuilder()
          .setIrVersion(8)
          .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("").setVersion(17))
          .setGraph(graph)
          .build()
          .writeTo(out);
    }
    Files.writeString(folder.resolve("tokenizer.json"), tokenizer(texts));
    return weights;
  }

  private void build() {
    for (String input : List.of("input_ids", "attention_mask", "token_type_ids")) {
      graph.addInput(value(input, INT64, "batch", "tokens"));
    }
    String x =
        node(
            "Add",
            node(
                "Add",
                node("Gather", matrix(words, dim), "input_ids"),
                node("Gather", matrix(2, dim), "token_type_ids")),
            positionsOf());
    x = norm(x);
    String closed = node("Sub", scalar(1.0f), cast("attention_mask"));
    String penalty = node("Unsqueeze", node("Mul", closed, scalar(-10_000.0f)), longs(1, 2));
    for (int i = 0; i < layers; i++) {
      x = norm(node("Add", x, attention(x, penalty)));
      x = norm(node("Add", x, linear(gelu(linear(x, dim, inner)), inner, dim)));
    }
    graph.addOutput(value(x, FLOAT, "batch", "tokens", Integer.toString(dim)));
  }

  /** The first so many positions as there are tokens. */
  private String positionsOf() {
    String tokens = node("Gather", node("Shape", "input_ids"), longs(1));
    return node("Slice", matrix(positions, dim), longs(0), tokens, longs(0));
  }

  private String attention(String x, String penalty) {
    // From [batch, tokens, head, x] to [batch, head, tokens, x] and, for the keys, [.., x, tokens].
    String q = transposed(heads(x), 0, 2, 1, 3);
    String k = transposed(heads(x), 0, 2, 3, 1);
    String v = transposed(heads(x), 0, 2, 1, 3);
    String scores = node("MatMul", q, k);
    String scaled = node("Mul", scores, scalar((float) (1 / Math.sqrt((double) dim / heads))));
    String mixed = node("MatMul", node("Softmax", node("Add", scaled, penalty)), v);
    String joined = node("Reshape", transposed(mixed, 0, 2, 1, 3), longs(0, 0, dim));
    return linear(joined, dim, dim);
  }

  private String heads(String x) {
    return node("Reshape", linear(x, dim, dim), longs(0, 0, heads, dim / heads));
  }

  private String linear(String x, int from, int to) {
    return node("Add", node("MatMul", x, matrix(from, to)), vector(to));
  }

  private String gelu(String x) {
    String erf = node("Erf", node("Mul", x, scalar((float) Math.sqrt(0.5))));
    return node("Mul", node("Mul", x, scalar(0.5f)), node("Add", erf, scalar(1.0f)));
  }

  private String norm(String x) {
    return node("LayerNormalization", x, vector(dim), vector(dim));
  }

  private String node(String operator, String... inputs) {
    return add(operator, List.of(inputs), List.of());
  }

  private String transposed(String x, long... order) {
    AttributeProto.Builder perm =
        AttributeProto.newBuilder().setName("perm").setType(AttributeProto.AttributeType.INTS);
    for (long axis : order) {
      perm.addInts(axis);
    }
    return add("Transpose", List.of(x), List.of(perm.build()));
  }

  private String cast(String x) {
    AttributeProto to =
        AttributeProto.newBuilder()
            .setName("to")
            .setType(AttributeProto.AttributeType.INT)
            .setI(FLOAT)
            .build();
    return add("Cast", List.of(x), List.of(to));
  }

  private String add(String operator, List<String> inputs, List<AttributeProto> attributes) {
    String name = "n" + graph.getNodeCount();
    graph.addNode(
        NodeProto.newBuilder()
            .setOpType(operator)
            .setName(name)
            .addAllInput(inputs)
            .addAllAttribute(attributes)
            .addOutput(name));
    return name;
  }

  private String matrix(int rows, int columns) {
    return tensor(rows * columns, 1 / Math.sqrt(columns), rows, columns);
  }

  private String vector(int size) {
    return tensor(size, 1.0, size);
  }

  private String tensor(int size, double range, long... dims) {
    ByteBuffer bytes = ByteBuffer.allocate(size * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < size; i++) {
      bytes.putFloat((float) random.nextDouble(-range, range));
    }
    weights += size;
    return initializer(FLOAT, bytes.flip(), dims);
  }

  private String scalar(float value) {
    ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return initializer(FLOAT, bytes.putFloat(value).flip());
  }

  private String longs(long... values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long value : values) {
      bytes.putLong(value);
    }
    return initializer(INT64, bytes.flip(), values.length);
  }

  private String initializer(int type, ByteBuffer bytes, long... dims) {
    String name = "w" + graph.getInitializerCount();
    TensorProto.Builder tensor =
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(type)
            .setRawData(ByteString.copyFrom(bytes));
    for (long size : dims) {
      tensor.addDims(size);
    }
    graph.addInitializer(tensor);
    return name;
  }

  private static ValueInfoProto value(String name, int type, String... dims) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (String each : dims) {
      TensorShapeProto.Dimension.Builder size = TensorShapeProto.Dimension.newBuilder();
      shape.addDim(
          each.matches("[0-9]+") ? size.setDimValue(Long.parseLong(each)) : size.setDimParam(each));
    }
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(
            TypeProto.newBuilder()
                .setTensorType(TypeProto.Tensor.newBuilder().setElemType(type).setShape(shape)))
        .build();
  }

  /** Word pieces: the words of the texts, every letter, and made-up ones up to the number. */
  private String tokenizer(List<String> texts) {
    List<String> pieces = new ArrayList<>(List.of("[PAD]", "[UNK]", "[CLS]", "[SEP]"));
    TreeSet<String> own = new TreeSet<>();
    for (char c = '!'; c <= '~'; c++) {
      own.add(Character.toString(Character.toLowerCase(c)));
      own.add("##" + Character.toLowerCase(c));
    }
    texts.forEach(text -> own.addAll(List.of(text.toLowerCase(Locale.ROOT).split("[^a-z0-9]+"))));
    own.remove("");
    pieces.addAll(own);
    for (int i = 0; pieces.size() < words; i++) {
      pieces.add("##" + Integer.toString(i + 46_656, Character.MAX_RADIX));
    }
    StringBuilder vocabulary = new StringBuilder();
    for (int i = 0; i < words; i++) {
      String piece = pieces.get(i).replace("\\", "\\\\").replace("\"", "\\\"");
      vocabulary.append(i == 0 ? "" : ",").append('"').append(piece).append("\":").append(i);
    }
    return """
    {"added_tokens": [],
     "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                    "strip_accents": null, "lowercase": true},
     "pre_tokenizer": {"type": "BertPreTokenizer"},
     "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
     "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
               "max_input_chars_per_word": 100, "vocab": {VOCABULARY}}}
    """
        .replace("VOCABULARY", vocabulary);
  }
}
