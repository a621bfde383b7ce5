package dev.parlance.proxy.config.file;

import dev.parlance.policy.text.Sha256;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.service.config.ConfigFormat;
import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.config.Schema;
import dev.parlance.service.config.YamlDocument;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads the configuration file: all of it is right, or all that is wrong is said. */
public final class ConfigLoader {
  /** Largest file, in bytes. */
  public static final int MAX_BYTES = 1_048_576;

  /** What may stand in the file. */
  public static final Schema SCHEMA = Schema.of(ConfigLoader.class, "parlance-config.schema.json");

  private static final String NO_DIGEST = "";

  private ConfigLoader() {}

  /** Reads a file; paths in it are relative to its folder. */
  public static ConfigResult<SidecarConfig> load(Path file) {
    return attempt(file).result();
  }

  /** Reads a text as if it were a file in {@code baseDir}. */
  public static ConfigResult<SidecarConfig> parse(String yaml, Path baseDir) {
    byte[] bytes = yaml.getBytes(StandardCharsets.UTF_8);
    return read(bytes, Sha256.hex(bytes), baseDir).result();
  }

  /** As {@link #load}, with what a watcher has to know beside it. */
  static ConfigAttempt attempt(Path file) {
    return attempt(FileContent.of(file));
  }

  static ConfigAttempt attempt(FileContent content) {
    return content
        .failure()
        .map(failure ->
            new ConfigAttempt(
                NO_DIGEST,
                new ConfigResult.Refused<>(List.of(new ConfigProblem("", 1, 1, failure))),
                Optional.of(ConfigRefusalReason.UNREADABLE),
                YamlDocument.NOTHING))
        .orElseGet(
            () -> read(content.bytes(), content.digest(), ConfigFormat.folder(content.file())));
  }

  private static ConfigAttempt read(byte[] bytes, String digest, Path baseDir) {
    ConfigFormat.Reading<SidecarConfig> reading =
        new ConfigFormat<>(
                SCHEMA,
                MAX_BYTES,
                "the file is empty, expected a mapping with an inbound or an outbound listener",
                ConfigTypes::all,
                root -> ConfigReader.read(root, digest.substring(0, 12)))
            .read(bytes, baseDir);
    return new ConfigAttempt(
        digest,
        reading.result(),
        reading.refused().map(how -> ConfigRefusalReason.valueOf(how.name())),
        reading.document());
  }
}
