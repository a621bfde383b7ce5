package dev.parlance.proxy.config.file;

import dev.parlance.policy.text.Sha256;
import dev.parlance.service.IoWords;
import dev.parlance.service.OpenFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** The bytes of a file at one moment, up to one more than the limit, or why there are none. */
final class FileContent {
  private static final byte[] NOTHING = {};

  private final Path file;
  private final byte[] bytes;
  private final String digest;
  private final Optional<String> failure;
  private final boolean unseen;

  private FileContent(
      Path file, byte[] bytes, String digest, Optional<String> failure, boolean unseen) {
    this.unseen = unseen;
    this.file = file;
    this.bytes = bytes;
    this.digest = digest;
    this.failure = failure;
  }

  static FileContent of(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(ConfigLoader.MAX_BYTES + 1);
      return new FileContent(file, bytes, Sha256.hex(bytes), Optional.empty(), false);
    } catch (NoSuchFileException e) {
      return new FileContent(file, NOTHING, "", Optional.of("there is no file " + file), false);
    } catch (IOException e) {
      return new FileContent(
          file,
          NOTHING,
          "",
          Optional.of("cannot read " + file + ": " + IoWords.why(e)),
          OpenFiles.areUsedUp(e));
    }
  }

  Path file() {
    return file;
  }

  byte[] bytes() {
    return bytes;
  }

  /** SHA-256 in hex; empty if the file could not be read. */
  String digest() {
    return digest;
  }

  Optional<String> failure() {
    return failure;
  }

  /** Whether the process had no descriptor left to read it with, which says nothing about it. */
  boolean isUnseen() {
    return unseen;
  }
}
