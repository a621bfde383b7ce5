package dev.parlance.onnx;

import dev.parlance.policy.text.Sha256;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Where the files of a model come from. */
public interface ModelFiles {
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
  ByteBuffer read(String name, int max, Arena arena) throws ModelProblem;

  /**
   * Reads a file, and refuses another one than the manifest binds.
   *
   * @param sha256 what the manifest says of it; none refuses it, too
   */
  default ByteBuffer checked(String name, @Nullable String sha256, int max, Arena arena)
      throws ModelProblem {
    ByteBuffer bytes = read(name, max, arena);
    String found = sha256(bytes);
    if (!found.equals(sha256)) {
      throw new ModelProblem(
          ModelFault.DIGEST_DIFFERS,
          name + " has the SHA-256 " + found + ", the manifest says " + sha256);
    }
    return bytes;
  }

  /** A copy on the heap. */
  static byte[] copied(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return bytes;
  }

  /** Hex SHA-256. */
  static String sha256(ByteBuffer bytes) {
    MessageDigest digest = Sha256.digest();
    digest.update(bytes.duplicate());
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * A model's folder.
   *
   * @param dir the folder; links in it are followed, as mounted volumes have them
   */
  record FolderFiles(Path dir) implements ModelFiles {
    @Override
    public ByteBuffer read(String name, int max, Arena arena) throws ModelProblem {
      Path file = dir.resolve(name);
      try {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
          throw new ModelProblem(ModelFault.UNREADABLE, file + " is no plain file");
        }
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
          long size = channel.size();
          if (size > max) {
            throw new ModelProblem(
                ModelFault.TOO_LARGE, file + " has " + size + " bytes, more than " + max);
          }
          ByteBuffer bytes = arena.allocate(Math.max(1, size)).asByteBuffer().limit((int) size);
          while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
            // until it is whole, or the file has become shorter
          }
          return bytes.flip().asReadOnlyBuffer();
        }
      } catch (NoSuchFileException _) {
        throw new ModelProblem(ModelFault.UNREADABLE, file + " is not there");
      } catch (IOException e) {
        String why = e instanceof FileSystemException named ? named.getReason() : e.getMessage();
        throw new ModelProblem(
            ModelFault.UNREADABLE,
            "cannot read " + file + (why == null || why.isBlank() ? "" : ": " + why));
      }
    }
  }
}
