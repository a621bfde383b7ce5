package dev.parlance.onnx;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import java.nio.ByteBuffer;

/**
 * ONNX Runtime as it is used here.
 *
 * <p>A run uses the calling thread and no other: the runtime gets no pool of its own, so as many
 * cores work as there are callers. Its memory arena is off, so that what a run needs is given back
 * after it.
 */
public final class OnnxRuntime {
  private OnnxRuntime() {}

  /**
   * Loads a model.
   *
   * @param model the file, outside the heap; not needed afterwards
   * @throws ModelProblem if there is no runtime, or the model is none
   */
  public static OrtSession open(ByteBuffer model) throws ModelProblem {
    OnnxReferences.check(model);
    OrtEnvironment environment = environment();
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      options.setExecutionMode(OrtSession.SessionOptions.ExecutionMode.SEQUENTIAL);
      options.setCPUArenaAllocator(false);
      options.setMemoryPatternOptimization(false);
      options.setDeterministicCompute(true);
      return environment.createSession(model, options);
    } catch (OrtException e) {
      throw new ModelProblem(ModelFault.BAD_MODEL, "the model cannot be loaded: " + e.getMessage());
    }
  }

  /** The runtime, unpacked and loaded at the first call. */
  public static OrtEnvironment environment() throws ModelProblem {
    try {
      // It would write to standard error by itself; what it has to say comes as exceptions too.
      OrtEnvironment environment =
          OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL, "parlance");
      environment.setTelemetry(false);
      return environment;
    } catch (LinkageError | OrtException | RuntimeException e) {
      Throwable root = e;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      throw new ModelProblem(
          ModelFault.NO_RUNTIME,
          "ONNX Runtime cannot be loaded: "
              + root
              + " (it unpacks itself into java.io.tmpdir, "
              + System.getProperty("java.io.tmpdir")
              + ", or is taken from onnxruntime.native.path)");
    }
  }
}
