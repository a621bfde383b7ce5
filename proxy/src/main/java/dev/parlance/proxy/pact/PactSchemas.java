package dev.parlance.proxy.pact;

import com.google.re2j.Pattern;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.regex.RegularExpression;
import dev.parlance.proxy.gate.AnswerSchemas;
import dev.parlance.proxy.gate.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON Schemas that clauses may name: those that the settings hold, and those of a folder, each
 * in a file that is named by the SHA-256 of its bytes: {@code HEX.json}. What a name stands for
 * never changes, so the folder is only looked through for names.
 *
 * <p>Changed on the loop of pacts, asked from any thread.
 */
final class PactSchemas implements AnswerSchemas {
  private static final Logger log = LoggerFactory.getLogger(PactSchemas.class);
  private static final String PREFIX = "sha256:";
  private static final String SUFFIX = ".json";
  private static final int HEX = 64;
  private static final int MAX_SCHEMAS = 1_000;
  private static final int MAX_BYTES = 256 << 10;

  /** Most of a fault that is told. */
  private static final int FAULT_CHARS = 300;

  private final Supplier<Optional<Path>> folder;
  private final Supplier<List<String>> texts;

  /** Files that cannot be used: each is told of once. */
  private final Set<String> refused = new HashSet<>();

  private volatile Map<String, AnswerSchema> known = Map.of();

  /**
   * None is known yet, see {@link #refresh}.
   *
   * @param texts schemas as the settings hold them
   */
  PactSchemas(Supplier<Optional<Path>> folder, Supplier<List<String>> texts) {
    this.folder = folder;
    this.texts = texts;
  }

  @Override
  public Optional<AnswerSchema> named(String name) {
    return Optional.ofNullable(known.get(name));
  }

  /** Looks through settings and folder; a schema that has gone is known no more. */
  void refresh() {
    Map<String, AnswerSchema> found = new HashMap<>();
    for (String text : texts.get()) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      String sha256 = Digests.sha256(bytes);
      take(sha256, "settings " + sha256, bytes, found);
    }
    if (folder.get().isPresent() && !inFolder(folder.get().get(), found)) {
      return;
    }
    known = Map.copyOf(found);
  }

  private boolean inFolder(Path dir, Map<String, AnswerSchema> found) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(dir)) {
      for (Path file : files) {
        if (Files.isRegularFile(file) && found.size() < MAX_SCHEMAS) {
          take(file, found);
        }
      }
      return true;
    } catch (IOException e) {
      if (refused.add(dir.toString())) {
        log.atWarn().setCause(e).log("the folder of schemas cannot be read");
      }
      return false;
    }
  }

  private void take(Path file, Map<String, AnswerSchema> into) throws IOException {
    String name = file.getFileName().toString();
    String bare = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    boolean isOne = bare.length() == HEX || !bare.equals(name);
    if (!isOne || name.startsWith(".") || refused.contains(name)) {
      return;
    }
    AnswerSchema before = known.get(PREFIX + bare);
    if (before != null) {
      into.put(PREFIX + bare, before);
      return;
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    }
    String sha256 = Digests.sha256(bytes);
    if (bytes.length > MAX_BYTES) {
      refuse(name, "expected at most " + MAX_BYTES + " bytes");
    } else if (!bare.equals(sha256)) {
      refuse(name, "its name is not its SHA-256, expected " + sha256 + SUFFIX);
    } else {
      take(sha256, name, bytes, into);
    }
  }

  private void take(String sha256, String from, byte[] bytes, Map<String, AnswerSchema> into) {
    String name = PREFIX + sha256;
    Optional.ofNullable(known.get(name))
        .or(() -> refused.contains(from) ? Optional.empty() : compile(from, bytes))
        .ifPresent(schema -> into.put(name, schema));
  }

  /**
   * Nothing outside the file and the published meta-schemas is looked at: no reference is fetched.
   */
  private Optional<AnswerSchema> compile(String from, byte[] bytes) {
    try {
      JsonMapper mapper = JsonMapper.shared();
      SchemaRegistryConfig config =
          SchemaRegistryConfig.builder()
              .locale(Locale.ENGLISH)
              .regularExpressionFactory(PactSchemas::linear)
              .build();
      Schema schema =
          SchemaRegistry.withDefaultDialect(
                  SpecificationVersion.DRAFT_2020_12,
                  builder ->
                      builder
                          .schemaRegistryConfig(config)
                          .schemaLoader(loader -> loader.fetchRemoteResources(false)))
              .getSchema(mapper.readTree(bytes));
      schema.initializeValidators();
      return Optional.of(json -> fault(schema, mapper, json));
    } catch (RuntimeException e) { // it has one for each way in which a schema can be none
      refuse(from, "no JSON Schema that stands alone: " + e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * A pattern that takes time in proportion to the text; one that cannot, because it looks around
   * or back, makes its schema none.
   */
  private static RegularExpression linear(String regex) {
    Pattern pattern = Pattern.compile(regex);
    return text -> pattern.matcher(text).find();
  }

  private void refuse(String from, String why) {
    if (refused.add(from)) {
      log.atWarn()
          .addKeyValue("file", from)
          .addKeyValue("detail", why)
          .log("a schema of pacts is not used");
    }
  }

  private static Optional<String> fault(Schema schema, JsonMapper mapper, byte[] json) {
    try {
      List<Error> errors = schema.validate(mapper.readTree(json));
      return errors.isEmpty() ? Optional.empty() : Optional.of(shown(errors.getFirst().toString()));
    } catch (RuntimeException | StackOverflowError e) {
      log.atInfo()
          .addKeyValue("problem", e.getClass().getName())
          .log("an answer was not held to a schema");
      return Optional.of(UNHELD);
    }
  }

  private static String shown(String text) {
    return text.length() > FAULT_CHARS ? text.substring(0, FAULT_CHARS) : text;
  }
}
