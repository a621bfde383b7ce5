package dev.parlance.control.embed;

import dev.parlance.control.embed.EncoderStatus.EncoderFault;
import dev.parlance.encoder.BuiltInModel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

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

  /**
   * An encoder's folder.
   *
   * @param dir the folder; links in it are followed, as mounted volumes have them
   */
  record FolderFiles(Path dir) implements ModelFiles {
    @Override
    public ByteBuffer read(String name, int max, Arena arena) throws EncoderProblem {
      Path file = dir.resolve(name);
      try {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
          throw new EncoderProblem(EncoderFault.UNREADABLE, file + " is no plain file");
        }
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
          long size = channel.size();
          if (size > max) {
            throw new EncoderProblem(
                EncoderFault.TOO_LARGE, file + " has " + size + " bytes, more than " + max);
          }
          ByteBuffer bytes = arena.allocate(Math.max(1, size)).asByteBuffer().limit((int) size);
          while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
            // until it is whole, or the file has become shorter
          }
          return bytes.flip().asReadOnlyBuffer();
        }
      } catch (NoSuchFileException _) {
        throw new EncoderProblem(EncoderFault.UNREADABLE, file + " is not there");
      } catch (IOException e) {
        throw new EncoderProblem(EncoderFault.UNREADABLE, "cannot read " + file + ": " + e);
      }
    }
  }

  /** The files of the encoder that comes with Parlance, from the class path. */
  record BuiltInFiles() implements ModelFiles {
    @Override
    public ByteBuffer read(String name, int max, Arena arena) throws EncoderProblem {
      byte[] bytes;
      try {
        bytes = BuiltInModel.file(name);
      } catch (IOException e) {
        throw new EncoderProblem(EncoderFault.UNREADABLE, String.valueOf(e.getMessage()));
      }
      if (bytes.length > max) {
        throw new EncoderProblem(
            EncoderFault.TOO_LARGE, name + " has " + bytes.length + " bytes, more than " + max);
      }
      MemorySegment copy = arena.allocate(Math.max(1, bytes.length));
      MemorySegment.copy(bytes, 0, copy, java.lang.foreign.ValueLayout.JAVA_BYTE, 0, bytes.length);
      return copy.asByteBuffer().limit(bytes.length).asReadOnlyBuffer();
    }
  }
}
