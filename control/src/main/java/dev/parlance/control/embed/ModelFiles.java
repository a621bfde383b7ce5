package dev.parlance.control.embed;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/** Where the files of an encoder come from. */
interface ModelFiles {
  /** Largest manifest, in bytes. */
  int MAX_MANIFEST = 65_536;

  /** Largest tokenizer, in bytes. */
  int MAX_TOKENIZER = 16 << 20;

  /** Largest model, in bytes. */
  int MAX_MODEL = 1 << 30;

  /**
   * Reads a file whole, into memory outside the heap: what is checked is what is used, whatever
   * happens to the file meanwhile.
   *
   * @param name plain name
   * @param max most bytes
   * @param arena owner of the memory
   */
  ByteBuffer read(String name, int max, Arena arena) throws EncoderProblem;
}
