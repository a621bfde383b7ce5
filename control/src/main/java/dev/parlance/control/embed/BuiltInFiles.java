package dev.parlance.control.embed;

import dev.parlance.encoder.BuiltInModel;
import dev.parlance.onnx.ModelFault;
import dev.parlance.onnx.ModelFiles;
import dev.parlance.onnx.ModelProblem;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/** The files of the encoder that comes with Parlance, from the class path. */
record BuiltInFiles() implements ModelFiles {
  @Override
  public ByteBuffer read(String name, int max, Arena arena) throws ModelProblem {
    byte[] bytes;
    try {
      bytes = BuiltInModel.file(name);
    } catch (IOException e) {
      throw new ModelProblem(ModelFault.UNREADABLE, String.valueOf(e.getMessage()));
    }
    if (bytes.length > max) {
      throw new ModelProblem(
          ModelFault.TOO_LARGE, name + " has " + bytes.length + " bytes, more than " + max);
    }
    MemorySegment copy = arena.allocate(Math.max(1, bytes.length));
    MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return copy.asByteBuffer().limit(bytes.length).asReadOnlyBuffer();
  }
}
