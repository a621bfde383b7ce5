package dev.parlance.control.embed;

import dev.parlance.onnx.ModelFault;
import dev.parlance.onnx.ModelFiles;
import dev.parlance.onnx.ModelProblem;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/**
 * The files of all-MiniLM-L6-v2: the manifest, which binds the others by their digests, from the
 * class path, and the others from a folder. Whatever lies there, it is this encoder or none.
 *
 * @param folder with {@code model.onnx} and {@code tokenizer.json}
 */
record MiniLmFiles(ModelFiles folder) implements ModelFiles {
  private static final String MANIFEST = "all-minilm-l6-v2.json";
  private static final String HOW =
      "; encoder minilm needs its two files: bin/minilm fetches them for a checkout, releases and"
          + " the image with -minilm in its tag have them";

  @Override
  public ByteBuffer read(String name, int max, Arena arena) throws ModelProblem {
    if (name.equals(EncoderManifest.NAME)) {
      return manifest(arena);
    }
    try {
      return folder.read(name, max, arena);
    } catch (ModelProblem e) {
      throw e.fault() == ModelFault.UNREADABLE ? new ModelProblem(e.fault(), e.detail() + HOW) : e;
    }
  }

  private static ByteBuffer manifest(Arena arena) throws ModelProblem {
    try (InputStream in = MiniLmFiles.class.getResourceAsStream(MANIFEST)) {
      if (in == null) {
        throw new ModelProblem(ModelFault.UNREADABLE, "there is no " + MANIFEST);
      }
      byte[] bytes = in.readAllBytes();
      return arena.allocate(bytes.length).asByteBuffer().put(bytes).flip().asReadOnlyBuffer();
    } catch (IOException e) {
      throw new ModelProblem(ModelFault.UNREADABLE, String.valueOf(e.getMessage()));
    }
  }
}
