package dev.parlance.onnx;

/** A model that cannot be used, on its way to whoever says what follows. */
public final class ModelProblem extends Exception {
  private static final long serialVersionUID = 1L;

  private final ModelFault fault;

  /** A problem, with what is wrong for people. */
  public ModelProblem(ModelFault fault, String detail) {
    super(detail);
    this.fault = fault;
  }

  /** Its kind. */
  public ModelFault fault() {
    return fault;
  }

  /** What is wrong, for people. */
  public String detail() {
    String message = getMessage();
    return message == null ? fault.code() : message;
  }
}
