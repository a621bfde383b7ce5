package dev.parlance.proxy.config.file;

import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.config.ConfigResult;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Reads the configuration file: all of it is right, or all that is wrong is said. */
public final class ConfigLoader {
  /** Largest file, in bytes. */
  public static final int MAX_BYTES = 1_048_576;

  private static final String NO_DIGEST = "";

  private ConfigLoader() {}

  /** Reads a file; paths in it are relative to its folder. */
  public static ConfigResult<SidecarConfig> load(Path file) {
    return attempt(file).result();
  }

  /** Reads a text as if it were a file in {@code baseDir}. */
  public static ConfigResult<SidecarConfig> parse(String yaml, Path baseDir) {
    byte[] bytes = yaml.getBytes(StandardCharsets.UTF_8);
    return bytes.length > MAX_BYTES
        ? tooLarge(NO_DIGEST).result()
        : read(yaml, baseDir, FileContent.sha256(bytes)).result();
  }

  /** As {@link #load}, with what a watcher has to know beside it. */
  static ConfigAttempt attempt(Path file) {
    return attempt(FileContent.of(file));
  }

  static ConfigAttempt attempt(FileContent content) {
    if (content.failure().isPresent()) {
      return refused(
          NO_DIGEST, ConfigRefusalReason.UNREADABLE, Position.START, content.failure().get());
    }
    byte[] bytes = content.bytes();
    if (bytes.length > MAX_BYTES) {
      return tooLarge(content.digest());
    }
    Path file = content.file().toAbsolutePath();
    Path folder = file.getParent();
    return decode(bytes, content.digest(), folder == null ? file : folder);
  }

  private static ConfigAttempt decode(byte[] bytes, String digest, Path baseDir) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    String text;
    try {
      text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(in)
              .toString();
    } catch (CharacterCodingException e) {
      return refused(
          digest,
          ConfigRefusalReason.SYNTAX,
          place(bytes, in.position()),
          "byte 0x%02x is not UTF-8".formatted(bytes[in.position()] & 0xff));
    }
    return read(text, baseDir, digest);
  }

  private static ConfigAttempt read(String yaml, Path baseDir, String digest) {
    if (yaml.startsWith("\ufeff")) {
      return refused(
          digest,
          ConfigRefusalReason.SYNTAX,
          Position.START,
          "a byte order mark, expected plain UTF-8");
    }
    List<ConfigProblem> syntax = new ArrayList<>();
    Optional<YamlDocument> document = YamlReader.read(yaml, syntax);
    if (document.isEmpty()) {
      return new ConfigAttempt(
          digest,
          new ConfigResult.Refused<>(syntax),
          Optional.of(ConfigRefusalReason.SYNTAX),
          YamlDocument.NOTHING);
    }
    JsonNode root = document.get().root();
    Issues issues = new Issues(document.get());
    ConfigSchema.instance().check(root, issues);
    Optional<SidecarConfig> config =
        root.isObject()
            ? ConfigReader.read(document.get(), issues, baseDir, digest.substring(0, 12))
            : Optional.empty();
    return config
        .map(good ->
            new ConfigAttempt(
                digest, new ConfigResult.Loaded<>(good), Optional.empty(), document.get()))
        .orElseGet(() ->
            new ConfigAttempt(
                digest,
                new ConfigResult.Refused<>(issues.inOrder()),
                Optional.of(ConfigRefusalReason.INVALID),
                document.get()));
  }

  private static ConfigAttempt tooLarge(String digest) {
    return refused(
        digest,
        ConfigRefusalReason.TOO_LARGE,
        Position.START,
        "the file has more than " + MAX_BYTES + " bytes");
  }

  private static ConfigAttempt refused(
      String digest, ConfigRefusalReason reason, Position at, String message) {
    return new ConfigAttempt(
        digest,
        new ConfigResult.Refused<>(List.of(new ConfigProblem("", at.line(), at.column(), message))),
        Optional.of(reason),
        YamlDocument.NOTHING);
  }

  private static Position place(byte[] bytes, int offset) {
    int line = 1;
    int column = 1;
    for (int i = 0; i < offset; i++) {
      if (bytes[i] == '\n') {
        line++;
        column = 1;
      } else if ((bytes[i] & 0xc0) != 0x80) {
        column++;
      }
    }
    return new Position(line, column);
  }
}
