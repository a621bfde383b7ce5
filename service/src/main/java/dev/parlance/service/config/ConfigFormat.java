package dev.parlance.service.config;

import dev.parlance.service.IoWords;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * One kind of configuration file: all of it is right, or all that is wrong is said.
 *
 * @param <C> the configuration
 * @param schema what may stand in it
 * @param maxBytes largest file
 * @param whenEmpty why a file without content is refused; empty: it is an empty mapping
 * @param types what is not bound component by component
 * @param reader the configuration of a document, or empty with a problem added
 */
public record ConfigFormat<C>(
    Schema schema,
    int maxBytes,
    String whenEmpty,
    Supplier<Binder.Types> types,
    Function<Section, Optional<C>> reader) {
  /** How far a file was read before it was refused. */
  public enum Refused {
    TOO_LARGE,
    /** No YAML, or YAML that is not read here (aliases, tags, duplicate keys). */
    SYNTAX,
    /** YAML, but not a valid configuration. */
    INVALID
  }

  /**
   * What came of reading.
   *
   * @param result the configuration, or all that is wrong
   * @param refused how far it got; empty if it is valid
   * @param document where everything stands, to place problems that are found later
   */
  public record Reading<C>(
      ConfigResult<C> result, Optional<Refused> refused, YamlDocument document) {}

  /** Reads a file; paths in it are relative to its folder. */
  public ConfigResult<C> load(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return read(in.readNBytes(maxBytes + 1), folder(file)).result();
    } catch (IOException e) {
      return new ConfigResult.Refused<>(
          List.of(new ConfigProblem("", 1, 1, "cannot read " + file + ": " + IoWords.why(e))));
    }
  }

  /** The folder that a file's paths are relative to. */
  public static Path folder(Path file) {
    Path absolute = file.toAbsolutePath();
    Path folder = absolute.getParent();
    return folder == null ? absolute : folder;
  }

  /** Reads a text as if it were a file in {@code baseDir}. */
  public ConfigResult<C> parse(String yaml, Path baseDir) {
    return read(yaml.getBytes(StandardCharsets.UTF_8), baseDir).result();
  }

  /** Reads the bytes of a file in {@code baseDir}. */
  public Reading<C> read(byte[] bytes, Path baseDir) {
    if (bytes.length > maxBytes) {
      return refused(
          Refused.TOO_LARGE, Position.START, "the file has more than " + maxBytes + " bytes");
    }
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
          Refused.SYNTAX,
          place(bytes, in.position()),
          "byte 0x%02x is not UTF-8".formatted(bytes[in.position()] & 0xff));
    }
    return text.startsWith("\ufeff")
        ? refused(Refused.SYNTAX, Position.START, "a byte order mark, expected plain UTF-8")
        : read(text, baseDir);
  }

  private Reading<C> read(String yaml, Path baseDir) {
    List<ConfigProblem> syntax = new ArrayList<>();
    Optional<YamlDocument> read = YamlReader.read(yaml, syntax);
    if (read.isEmpty()) {
      return new Reading<>(
          new ConfigResult.Refused<>(syntax), Optional.of(Refused.SYNTAX), YamlDocument.NOTHING);
    }
    YamlDocument document = read.get();
    boolean isEmpty = document.root().isMissingNode();
    if (isEmpty && !whenEmpty.isEmpty()) {
      return refused(Refused.SYNTAX, Position.START, whenEmpty);
    }
    Issues issues = new Issues(document);
    JsonNode root = isEmpty ? JsonNodeFactory.instance.objectNode() : document.root();
    schema.check(root, issues);
    Optional<C> config =
        root.isObject()
            ? reader.apply(new Binder(schema, types.get(), issues, baseDir).root(root))
            : Optional.empty();
    if (issues.isEmpty()) {
      C good =
          config.orElseThrow(
              () -> new IllegalStateException("refused without saying why: " + root));
      return new Reading<>(new ConfigResult.Loaded<>(good), Optional.empty(), document);
    }
    return new Reading<>(
        new ConfigResult.Refused<>(issues.inOrder()), Optional.of(Refused.INVALID), document);
  }

  private static <C> Reading<C> refused(Refused refused, Position at, String message) {
    return new Reading<>(
        new ConfigResult.Refused<>(List.of(new ConfigProblem("", at.line(), at.column(), message))),
        Optional.of(refused),
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
