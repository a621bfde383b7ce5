package dev.parlance.onnx.testing;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;

/** Small models, written by hand. */
public final class Graph {
  public static final int FLOAT = TensorProto.DataType.FLOAT_VALUE;
  public static final int INT64 = TensorProto.DataType.INT64_VALUE;
  public static final int INT32 = TensorProto.DataType.INT32_VALUE;

  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("test");

  /** A model that gives every token the vector of its number: [batch, tokens, dim]. */
  public static Graph tokens(int vocabulary, int dim, String... inputs) {
    Graph graph = new Graph();
    for (String input : inputs) {
      graph.input(input, INT64);
    }
    return graph
        .table("table", vocabulary, dim)
        .node("Gather", "last_hidden_state", "table", "input_ids")
        .output("last_hidden_state", FLOAT, 3);
  }

  /**
   * A model whose tokens look at each other, as in a real one: vectors are weighted by their
   * likeness, masked, and multiplied.
   */
  public static Graph attention(int vocabulary, int dim) {
    return new Graph()
        .input("input_ids", INT64)
        .input("attention_mask", INT64)
        .table("table", vocabulary, dim)
        .table("weights", dim, dim)
        .floats("one", 1.0f)
        .floats("far", -10_000.0f)
        .longs("axis", 1)
        .node("Gather", "x", "table", "input_ids")
        .with(op("Transpose", "xt", "x"), "perm", 0, 2, 1)
        .node("MatMul", "scores", "x", "xt")
        .number(op("Cast", "mask", "attention_mask"), "to", FLOAT)
        .node("Sub", "open", "one", "mask")
        .node("Mul", "penalty", "open", "far")
        .node("Unsqueeze", "penalties", "penalty", "axis")
        .node("Add", "masked", "scores", "penalties")
        .number(op("Softmax", "attention", "masked"), "axis", 2)
        .node("MatMul", "mixed", "attention", "x")
        .node("MatMul", "last_hidden_state", "mixed", "weights")
        .output("last_hidden_state", FLOAT, 3);
  }

  /** A model in which a text's vector depends on what runs with it. */
  public static Graph leaking(int vocabulary, int dim) {
    return new Graph()
        .input("input_ids", INT64)
        .input("attention_mask", INT64)
        .table("table", vocabulary, dim)
        .node("Gather", "x", "table", "input_ids")
        .with(op("ReduceMean", "mean", "x"), "axes", 0)
        .node("Add", "last_hidden_state", "x", "mean")
        .output("last_hidden_state", FLOAT, 3);
  }

  /**
   * A classifier of pairs whose logits are the sums of what its tokens say.
   *
   * @param logits for each token of a vocabulary, one number for each class
   */
  public static Graph classifier(float[][] logits) {
    int classes = logits[0].length;
    float[] values = new float[logits.length * classes];
    for (int i = 0; i < logits.length; i++) {
      System.arraycopy(logits[i], 0, values, i * classes, classes);
    }
    Graph graph = new Graph().input("input_ids", INT64).input("attention_mask", INT64);
    graph.graph.addInitializer(tensor("table", values, logits.length, classes));
    return graph
        .longs("axis", 2)
        .node("Gather", "said", "table", "input_ids")
        .number(op("Cast", "mask", "attention_mask"), "to", FLOAT)
        .node("Unsqueeze", "masks", "mask", "axis")
        .node("Mul", "counted", "said", "masks")
        .longs("tokens", 1)
        .number(op("ReduceSum", "logits", List.of("counted", "tokens")), "keepdims", 0)
        .output("logits", FLOAT, 2);
  }

  /**
   * An encoder of tokens with a head: the mean of its vectors, multiplied into a few logits.
   *
   * @param encoder a model whose one output is a vector of each token
   */
  public static byte[] headed(byte[] encoder, int dim, int classes) throws IOException {
    ModelProto.Builder model = ModelProto.parseFrom(encoder).toBuilder();
    String vectors = model.getGraph().getOutput(0).getName();
    Graph head =
        new Graph()
            .table("head", dim, classes)
            .with(op("ReduceMean", "mean_of_tokens", vectors), "axes", 1)
            .with(op("Squeeze", "one_vector", "mean_of_tokens"), "axes", 1)
            .node("MatMul", "logits", "one_vector", "head")
            .output("logits", FLOAT, 2);
    model
        .getGraphBuilder()
        .addAllNode(head.graph.getNodeList())
        .addAllInitializer(head.graph.getInitializerList())
        .clearOutput()
        .addAllOutput(head.graph.getOutputList());
    return model.build().toByteArray();
  }

  public Graph input(String name, int type) {
    graph.addInput(value(name, type, 2));
    return this;
  }

  public Graph inputOf(String name, int type, int rank) {
    graph.addInput(value(name, type, rank));
    return this;
  }

  /** An output whose vectors have a length that the model says. */
  public Graph outputOf(String name, int dim) {
    ValueInfoProto.Builder value = value(name, FLOAT, 3).toBuilder();
    value
        .getTypeBuilder()
        .getTensorTypeBuilder()
        .getShapeBuilder()
        .setDim(2, TensorShapeProto.Dimension.newBuilder().setDimValue(dim));
    graph.addOutput(value);
    return this;
  }

  public Graph output(String name, int type, int rank) {
    graph.addOutput(value(name, type, rank));
    return this;
  }

  /** Numbers that are always the same. */
  public Graph table(String name, int rows, int dim) {
    SplittableRandom random = new SplittableRandom(name.hashCode());
    float[] values = new float[rows * dim];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble(-1.0, 1.0);
    }
    graph.addInitializer(tensor(name, values, rows, dim));
    return this;
  }

  public Graph floats(String name, float... values) {
    graph.addInitializer(tensor(name, values, values.length));
    return this;
  }

  public Graph longs(String name, long... values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long value : values) {
      bytes.putLong(value);
    }
    graph.addInitializer(
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(INT64)
            .addDims(values.length)
            .setRawData(ByteString.copyFrom(bytes.flip())));
    return this;
  }

  /** A table whose values stand in a file beside the model. */
  public Graph tableElsewhere(String name, int rows, int dim, String file) {
    graph.addInitializer(elsewhere(name, rows, dim, file));
    return this;
  }

  /** The same as a node that gives a constant. */
  public Graph constantElsewhere(String name, int rows, int dim, String file) {
    graph.addNode(
        op("Constant", name, List.of())
            .addAttribute(
                AttributeProto.newBuilder()
                    .setName("value")
                    .setType(AttributeProto.AttributeType.TENSOR)
                    .setT(elsewhere(name, rows, dim, file))));
    return this;
  }

  private static TensorProto.Builder elsewhere(String name, int rows, int dim, String file) {
    return TensorProto.newBuilder()
        .setName(name)
        .setDataType(FLOAT)
        .addDims(rows)
        .addDims(dim)
        .setDataLocation(TensorProto.DataLocation.EXTERNAL)
        .addExternalData(StringStringEntryProto.newBuilder().setKey("location").setValue(file));
  }

  public Graph node(String operator, String output, String... inputs) {
    graph.addNode(op(operator, output, List.of(inputs)));
    return this;
  }

  public Graph number(NodeProto.Builder node, String attribute, long value) {
    graph.addNode(
        node.addAttribute(
            AttributeProto.newBuilder()
                .setName(attribute)
                .setType(AttributeProto.AttributeType.INT)
                .setI(value)));
    return this;
  }

  public Graph with(NodeProto.Builder node, String attribute, long... values) {
    AttributeProto.Builder list =
        AttributeProto.newBuilder().setName(attribute).setType(AttributeProto.AttributeType.INTS);
    for (long value : values) {
      list.addInts(value);
    }
    graph.addNode(node.addAttribute(list));
    return this;
  }

  public static NodeProto.Builder op(String operator, String output, String input) {
    return op(operator, output, List.of(input));
  }

  public static NodeProto.Builder op(String operator, String output, List<String> inputs) {
    return NodeProto.newBuilder()
        .setOpType(operator)
        .setName(output)
        .addAllInput(inputs)
        .addOutput(output);
  }

  public byte[] bytes() {
    return ModelProto.newBuilder()
        .setIrVersion(8)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("").setVersion(17))
        .setGraph(graph)
        .build()
        .toByteArray();
  }

  private static TensorProto tensor(String name, float[] values, long... dims) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      bytes.putFloat(value);
    }
    TensorProto.Builder tensor =
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(FLOAT)
            .setRawData(ByteString.copyFrom(bytes.flip()));
    for (long dim : dims) {
      tensor.addDims(dim);
    }
    return tensor.build();
  }

  private static ValueInfoProto value(String name, int type, int rank) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (int i = 0; i < rank; i++) {
      shape.addDim(TensorShapeProto.Dimension.newBuilder().setDimParam("d" + i));
    }
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(
            TypeProto.newBuilder()
                .setTensorType(TypeProto.Tensor.newBuilder().setElemType(type).setShape(shape)))
        .build();
  }
}
