package dev.parlance.control.config;

import dev.parlance.control.config.ControlConfig.AuditSettings;
import dev.parlance.control.config.ControlConfig.Defaults;
import dev.parlance.control.config.ControlConfig.StoreSettings;
import dev.parlance.control.config.ControlConfig.TlsFiles;
import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.policy.core.Names;
import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.config.Listen;
import dev.parlance.service.config.Quoted;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads the configuration file of the control plane. The JSON Schema beside this class says the
 * same to editors and to Helm; a test holds the two together.
 */
public final class ControlConfigLoader {
  /** Resource with the JSON Schema. */
  public static final String SCHEMA = "control-config.schema.json";

  /** Largest file, in bytes. */
  public static final int MAX_BYTES = 262_144;

  private static final int MAX_ORIGIN = 200;

  private final Mapping root;
  private final Path baseDir;

  private ControlConfigLoader(Mapping root, Path baseDir) {
    this.root = root;
    this.baseDir = baseDir.toAbsolutePath().normalize();
  }

  /** Reads a file; paths in it are relative to its folder. */
  public static ConfigResult<ControlConfig> load(Path file) {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    } catch (IOException e) {
      return refused("cannot read " + file + ": " + e);
    }
    Path folder = file.toAbsolutePath().getParent();
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return bytes.length > MAX_BYTES
          ? refused("the file has more than " + MAX_BYTES + " bytes")
          : parse(text, folder == null ? file.toAbsolutePath() : folder);
    } catch (CharacterCodingException e) {
      return refused("the file is not UTF-8: " + e.getMessage());
    }
  }

  /** Reads a text as if it were a file in {@code baseDir}. */
  public static ConfigResult<ControlConfig> parse(String yaml, Path baseDir) {
    List<ConfigProblem> problems = new ArrayList<>();
    Optional<Node> document = Optional.empty();
    try {
      LoadSettings settings = LoadSettings.builder().setMaxAliasesForCollections(1).build();
      Iterator<Node> documents = new Compose(settings).composeAllFromString(yaml).iterator();
      if (documents.hasNext()) {
        document = Optional.of(documents.next());
      }
      if (documents.hasNext()) {
        return refused("a second document, expected one");
      }
    } catch (MarkedYamlEngineException e) {
      Optional<Mark> mark = e.getProblemMark();
      return new ConfigResult.Refused<>(
          List.of(
              new ConfigProblem(
                  "",
                  mark.map(Mark::getLine).orElse(0) + 1,
                  mark.map(Mark::getColumn).orElse(0) + 1,
                  "not YAML: " + e.getProblem())));
    } catch (YamlEngineException e) {
      return refused("not YAML: " + e.getMessage());
    }
    ControlConfig config =
        new ControlConfigLoader(Mapping.root(document, problems), baseDir).config();
    return problems.isEmpty()
        ? new ConfigResult.Loaded<>(config)
        : new ConfigResult.Refused<>(
            problems.stream()
                .sorted(
                    Comparator.comparingInt(ConfigProblem::line)
                        .thenComparingInt(ConfigProblem::column))
                .toList());
  }

  private ControlConfig config() {
    Path data = path(root, "data").orElse(baseDir.resolve(Defaults.DATA_DIR));
    Mapping grpc = root.section("grpc");
    Listen grpcListen = listen(grpc, Defaults.GRPC);
    Mapping http = root.section("http");
    Listen httpListen = listen(http, Defaults.HTTP);
    StoreSettings store = store();
    Mapping ledger = root.section("ledger");
    String origin = origin(ledger);
    Mapping keys = root.section("keys");
    Optional<Path> keysDir = path(keys, "dir");
    Mapping audits = root.section("audits");
    AuditSettings byDefault = AuditSettings.DEFAULT;
    ControlConfig config =
        new ControlConfig(
            data,
            grpcListen,
            httpListen,
            store,
            origin,
            keysDir,
            path(root, "attachSecretFile"),
            path(root, "operatorTokenFile"),
            tls(),
            root.flag("insecure", false),
            replica(),
            new AuditSettings(
                audits.number("questionsInFlight", 1, 256, byDefault.questionsInFlight()),
                audits.number("answerTimeoutMs", 100, 600_000, byDefault.answerTimeoutMs()),
                audits.number("retries", 0, 10, byDefault.retries()),
                audits.number("leaseTtlMs", 500, 600_000, byDefault.leaseTtlMs())),
            rounds(root.section("rounds")),
            LexiconSection.read(root.section("lexicon")),
            AuthoritySection.read(root.section("identity"), this::path),
            root.number("pollMs", 10, 10_000, Defaults.POLL_MS),
            root.number("reportIntervalMs", 1_000, 600_000, Defaults.REPORT_INTERVAL_MS),
            root.number("streamMaxAgeMs", 1_000, 86_400_000, Defaults.STREAM_MAX_AGE_MS));
    List.of(grpc, http, ledger, keys, audits, root).forEach(Mapping::done);
    plainText(config);
    return config;
  }

  private RoundsSettings rounds(Mapping rounds) {
    RoundsSettings byDefault = RoundsSettings.DEFAULT;
    RoundsSettings settings =
        new RoundsSettings(
            encoder(rounds),
            rounds.number(
                "encoderThreads", 1, RoundsSettings.MAX_THREADS, byDefault.encoderThreads()),
            rounds.number("encoderQueue", 1, RoundsSettings.MAX_QUEUE, byDefault.encoderQueue()),
            rounds.number(
                "defaultDeadlineMs",
                RoundsSettings.LEAST_DEADLINE_MS,
                RoundsSettings.MAX_DEADLINE_MS,
                byDefault.defaultDeadlineMs()),
            rounds.number(
                "maxOpenRounds", 1, RoundsSettings.MAX_OPEN_ROUNDS, byDefault.maxOpenRounds()),
            rounds.number(
                "textRetentionDays",
                0,
                RoundsSettings.MAX_RETENTION_DAYS,
                byDefault.textRetentionDays()));
    rounds.done();
    return settings;
  }

  private EncoderChoice encoder(Mapping rounds) {
    if (rounds.isMapping("encoder")) {
      Mapping folder = rounds.section("encoder");
      Optional<Path> dir = path(folder, "dir");
      if (!folder.has("dir")) {
        folder.problem("dir", "missing, expected a folder with manifest.json and model.onnx");
      }
      folder.done();
      return dir.<EncoderChoice>map(EncoderChoice.Folder::new)
          .orElseGet(EncoderChoice.BuiltIn::new);
    }
    return switch (rounds.text("encoder").orElse("built-in")) {
      case "built-in" -> new EncoderChoice.BuiltIn();
      // What writes YAML 1.1, as templates of Helm do, turns the word into a false.
      case "off", "false" -> new EncoderChoice.Off();
      case String other -> {
        rounds.problem(
            "encoder",
            "got \"" + Quoted.line(other) + "\", expected built-in, off, or dir: and a folder");
        yield new EncoderChoice.BuiltIn();
      }
    };
  }

  /** Neither tokens nor certificates of terms go over a network that anybody can read. */
  private void plainText(ControlConfig config) {
    if (config.tls().isPresent() || config.insecure()) {
      return;
    }
    if (!config.grpc().isLoopback()) {
      root.problem("grpc", plainTextMessage(config.grpc()));
    }
    if (!config.http().isLoopback()) {
      root.problem("http", plainTextMessage(config.http()));
    }
  }

  private static String plainTextMessage(Listen listen) {
    return "got "
        + listen
        + " without tls, expected a loopback address, tls, or insecure: true if something else"
        + " encrypts";
  }

  private StoreSettings store() {
    if (!root.has("store")) {
      root.section("store");
      return new StoreSettings.Embedded();
    }
    Mapping store = root.section("store");
    Optional<String> url = store.text("url");
    Optional<String> user = store.text("user");
    Optional<Path> passwordFile = path(store, "passwordFile");
    int pool = store.number("pool", 2, 100, Defaults.POOL);
    store.done();
    if (url.isEmpty() || !url.get().startsWith("jdbc:postgresql:")) {
      store.problem(
          "url",
          url.map(text -> "got \"" + Quoted.line(text) + "\"").orElse("missing")
              + ", expected jdbc:postgresql://host:port/database; leave out store for the embedded"
              + " one");
    }
    return new StoreSettings.Postgres(url.orElse(""), user.orElse("parlance"), passwordFile, pool);
  }

  private Optional<TlsFiles> tls() {
    if (!root.has("tls")) {
      root.section("tls");
      return Optional.empty();
    }
    Mapping tls = root.section("tls");
    Optional<Path> cert = path(tls, "cert");
    Optional<Path> key = path(tls, "key");
    Optional<Path> clientCa = path(tls, "clientCa");
    tls.done();
    if (cert.isEmpty()) {
      tls.problem("cert", "missing, expected a PEM file");
    }
    if (key.isEmpty()) {
      tls.problem("key", "missing, expected a PEM file");
    }
    return cert.isPresent() && key.isPresent()
        ? Optional.of(new TlsFiles(cert.get(), key.get(), clientCa))
        : Optional.empty();
  }

  private String replica() {
    Optional<String> name = root.text("replica");
    if (name.isPresent() && !Names.isName(name.get())) {
      root.problem(
          "replica",
          "got \"" + Quoted.line(name.get()) + "\", expected letters, digits and ._:/@-");
    }
    return name.orElseGet(Defaults::replica);
  }

  private static String origin(Mapping ledger) {
    String origin = ledger.text("origin").orElse(Defaults.LEDGER_ORIGIN);
    // Key names of signed notes have no blank and no plus sign.
    if (origin.length() > MAX_ORIGIN || !origin.matches("[\\x21-\\x2a\\x2c-\\x7e]+")) {
      ledger.problem(
          "origin",
          "got \""
              + Quoted.line(origin)
              + "\", expected a name like example.com/ledger without blanks and plus signs");
    }
    return origin;
  }

  private static Listen listen(Mapping section, Listen byDefault) {
    Optional<String> text = section.text("listen");
    Optional<Listen> listen = text.flatMap(Listen::parse);
    if (text.isPresent() && listen.isEmpty()) {
      section.problem(
          "listen",
          "got \""
              + Quoted.line(text.get())
              + "\", expected host:port with a port from 0 to 65535");
    }
    return listen.orElse(byDefault);
  }

  private Optional<Path> path(Mapping section, String key) {
    Optional<String> text = section.text(key);
    try {
      return text.map(name -> baseDir.resolve(name).normalize());
    } catch (InvalidPathException e) {
      section.problem(
          key, "got \"" + Quoted.line(text.orElse("")) + "\", expected a path: " + e.getReason());
      return Optional.empty();
    }
  }

  private static ConfigResult<ControlConfig> refused(String message) {
    return new ConfigResult.Refused<>(List.of(new ConfigProblem("", 1, 1, message)));
  }
}
