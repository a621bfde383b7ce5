package dev.parlance.control.config;

import dev.parlance.control.config.ControlConfig.AuditSettings;
import dev.parlance.control.config.ControlConfig.StoreSettings;
import dev.parlance.control.config.ControlConfig.TlsFiles;
import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.service.config.Binder;
import dev.parlance.service.config.ConfigFormat;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.config.Issues;
import dev.parlance.service.config.Listen;
import dev.parlance.service.config.Schema;
import dev.parlance.service.config.Section;
import dev.parlance.service.config.YamlDocument;
import dev.parlance.service.identity.SpiffeId;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads the configuration file of the control plane; the JSON Schema stands beside this class. */
public final class ControlConfigLoader {
  /** Resource with the JSON Schema. */
  public static final String SCHEMA = "control-config.schema.json";

  /** Largest file, in bytes. */
  public static final int MAX_BYTES = 262_144;

  private static final int MAX_NAME = 64;

  private static final ConfigFormat<ControlConfig> FORMAT =
      new ConfigFormat<>(
          Schema.of(ControlConfigLoader.class, SCHEMA),
          MAX_BYTES,
          "",
          ControlConfigLoader::types,
          ControlConfigLoader::config);

  private ControlConfigLoader() {}

  /** Reads a file; paths in it are relative to its folder. */
  public static ConfigResult<ControlConfig> load(Path file) {
    return FORMAT.load(file);
  }

  /** Reads a text as if it were a file in {@code baseDir}. */
  public static ConfigResult<ControlConfig> parse(String yaml, Path baseDir) {
    return FORMAT.parse(yaml, baseDir);
  }

  /** What a section holds where the file says nothing. */
  static <R> R defaults(String section, Class<R> type) {
    return new Binder(FORMAT.schema(), types(), new Issues(YamlDocument.NOTHING), Path.of(""))
        .root(JsonNodeFactory.instance.objectNode())
        .bind(section, type)
        .orElseThrow();
  }

  private static Binder.Types types() {
    return new Binder.Types(constant -> constant.name().toLowerCase(Locale.ROOT))
        .text(Listen.class, Listen::parse, "host:port with a port from 0 to 65535")
        .text(
            SpiffeId.class,
            text -> SpiffeId.parse(text).filter(id -> !id.path().isEmpty()),
            "a SPIFFE id with a path")
        .text(URI.class, ControlConfigLoader::address, "an address: scheme and host")
        .section(EncoderChoice.class, ControlConfigLoader::encoder);
  }

  private static Optional<URI> address(String text) {
    try {
      return Optional.of(new URI(text)).filter(uri -> uri.getHost() != null);
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
  }

  private static Optional<EncoderChoice> encoder(Section encoder) {
    if (encoder.node().isObject()) {
      return encoder.path("dir").map(EncoderChoice.Folder::new);
    }
    // What writes YAML 1.1, as templates of Helm do, turns off into a false.
    return Optional.of(
        switch (encoder.node().asString("")) {
          case "built-in" -> new EncoderChoice.BuiltIn();
          case "minilm" -> EncoderChoice.MiniLm.installed();
          default -> new EncoderChoice.Off();
        });
  }

  private static Optional<ControlConfig> config(Section root) {
    Optional<Path> data = root.path("data");
    Optional<Listen> grpc = root.section("grpc").get("listen", Listen.class);
    Optional<Listen> http = root.section("http").get("listen", Listen.class);
    boolean insecure = root.flag("insecure");
    if (!root.has("tls") && !insecure) {
      plainText(root, "grpc", grpc);
      plainText(root, "http", http);
      if (root.has("console")) {
        plainText(root, "console", root.section("console").get("listen", Listen.class));
      }
    }
    identity(root.section("identity"));
    Optional<LexiconSettings> lexicon = root.bind("lexicon", LexiconSettings.class);
    Optional<AuthoritySettings> identity = root.bind("identity", AuthoritySettings.class);
    Optional<RoundsSettings> rounds = root.bind("rounds", RoundsSettings.class);
    Optional<StoreSettings.Postgres> store =
        root.bindIfThere("store", StoreSettings.Postgres.class);
    Optional<ConsoleConfig> console = root.bindIfThere("console", ConsoleConfig.class);
    Optional<TlsFiles> tls = root.bindIfThere("tls", TlsFiles.class);
    Optional<Path> keys = root.section("keys").path("dir");
    Optional<Path> secret = root.path("attachSecretFile");
    Optional<Path> token = root.path("operatorTokenFile");
    return root.binder().issues().isEmpty()
        ? Optional.of(
            new ControlConfig(
                data.orElseThrow(),
                grpc.orElseThrow(),
                http.orElseThrow(),
                store.<StoreSettings>map(one -> one).orElseGet(StoreSettings.Embedded::new),
                root.section("ledger").text("origin").orElseThrow(),
                keys,
                secret,
                token,
                tls,
                insecure,
                root.text("replica").orElseGet(ControlConfigLoader::replica),
                root.bind("audits", AuditSettings.class).orElseThrow(),
                rounds.orElseThrow(),
                lexicon.orElseThrow(),
                identity.orElseThrow(),
                console,
                root.number("pollMs"),
                root.number("reportIntervalMs"),
                root.number("streamMaxAgeMs")))
        : Optional.empty();
  }

  /** Neither tokens nor certificates of terms go over a network that anybody can read. */
  private static void plainText(Section root, String key, Optional<Listen> listen) {
    listen
        .filter(address -> !address.isLoopback())
        .ifPresent(address ->
            root.problem(
                key,
                "got "
                    + address
                    + " without tls, expected a loopback address, tls, or insecure: true if"
                    + " something else encrypts"));
  }

  private static void identity(Section identity) {
    int days = identity.number("authorityDays");
    if (days * 24L * 60 < 4L * identity.number("certificateMinutes")) {
      identity.problem(
          "authorityDays", "got " + days + ", expected at least four times certificateMinutes");
    }
  }

  /** The machine's name, which in a pod is the pod's. */
  private static String replica() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException _) {
      return "control"; // a machine without a name of its own
    }
    String safe = host.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^[^A-Za-z0-9]+", "");
    return safe.isEmpty() ? "control" : safe.substring(0, Math.min(safe.length(), MAX_NAME));
  }
}
