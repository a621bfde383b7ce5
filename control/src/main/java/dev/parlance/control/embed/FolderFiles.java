package dev.parlance.control.embed;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

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
