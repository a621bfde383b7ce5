package dev.parlance.encoder.train;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.parlance.encoder.BuiltInModel;
import dev.parlance.encoder.NgramInput;
import dev.parlance.encoder.NgramInput.NgramFeatures;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The built model, run the way the control plane runs it. */
final class TestModel implements AutoCloseable {
  static final NgramInput INPUT =
      new NgramInput(NgramInput.FORM, BuildModel.ROWS, BuildModel.MAX_TOKENS);

  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final OrtSession session;

  /** Runs that graph. */
  TestModel(byte[] onnx) throws OrtException {
    OrtSession.SessionOptions options = new OrtSession.SessionOptions();
    options.setIntraOpNumThreads(1);
    options.setInterOpNumThreads(1);
    session = environment.createSession(onnx, options);
  }

  static TestModel builtIn() throws OrtException, IOException {
    return new TestModel(BuiltInModel.file(BuiltInModel.MODEL));
  }

  float[][] embed(List<String> texts) throws OrtException {
    List<NgramFeatures> features = texts.stream().map(INPUT::features).toList();
    int longest = features.stream().mapToInt(each -> each.ids().length).max().orElseThrow();
    long[][] ids = new long[texts.size()][longest];
    float[][] weights = new float[texts.size()][longest];
    for (int i = 0; i < ids.length; i++) {
      System.arraycopy(features.get(i).ids(), 0, ids[i], 0, features.get(i).ids().length);
      System.arraycopy(features.get(i).weights(), 0, weights[i], 0, features.get(i).ids().length);
    }
    try (OnnxTensor idTensor = OnnxTensor.createTensor(environment, ids);
        OnnxTensor weightTensor = OnnxTensor.createTensor(environment, weights);
        OrtSession.Result result = session.run(Map.of("ids", idTensor, "weights", weightTensor))) {
      return (float[][]) result.get(0).getValue();
    }
  }

  /** The vector of one text. */
  float[] embed(String text) {
    try {
      return embed(List.of(text))[0];
    } catch (OrtException e) {
      throw new IllegalStateException("the built model does not run", e);
    }
  }

  @Override
  public void close() throws OrtException {
    session.close();
  }
}
