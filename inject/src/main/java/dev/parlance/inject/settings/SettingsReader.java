package dev.parlance.inject.settings;

import dev.parlance.inject.settings.InjectorSettings.CertificateSettings;
import dev.parlance.inject.settings.InjectorSettings.CertificateSettings.Mode;
import dev.parlance.inject.settings.InjectorSettings.ImageSettings;
import dev.parlance.inject.settings.InjectorSettings.ImageSettings.PullPolicy;
import dev.parlance.inject.settings.SettingsSection.SettingsProblems;
import dev.parlance.inject.settings.SidecarSettings.AllowedOverrides;
import dev.parlance.inject.settings.SidecarSettings.ControlPlane;
import dev.parlance.inject.settings.SidecarSettings.IdentityDriver;
import dev.parlance.inject.settings.SidecarSettings.Interception;
import dev.parlance.inject.settings.SidecarSettings.LogFormat;
import dev.parlance.inject.settings.SidecarSettings.OnPrivileged;
import dev.parlance.inject.settings.SidecarSettings.Quantity;
import dev.parlance.inject.settings.SidecarSettings.Resources;
import dev.parlance.inject.yaml.Yaml;
import dev.parlance.service.config.HostPort;
import dev.parlance.service.config.Listen;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** Reads the injector's file: all of it is right, or all that is wrong is said. */
public final class SettingsReader {
  /** Largest file, in bytes. */
  public static final int MAX_BYTES = 1_048_576;

  /** uid and gid of a sidecar; docs/injection.md says why this one. */
  public static final int UID = 2717;

  private final SettingsProblems problems = new SettingsProblems();
  private final Path baseDir;

  private SettingsReader(Path baseDir) {
    this.baseDir = baseDir;
  }

  /** Reads a file; paths in it are relative to its folder. */
  public static SettingsResult load(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        return refused("the file has more than " + MAX_BYTES + " bytes");
      }
      Path folder = file.toAbsolutePath().getParent();
      return parse(Files.readString(file, StandardCharsets.UTF_8), folder == null ? file : folder);
    } catch (IOException e) {
      return refused("cannot read " + file + ": " + e);
    }
  }

  /** Reads a text as if it were a file in {@code baseDir}. */
  public static SettingsResult parse(String yaml, Path baseDir) {
    return switch (Yaml.read(yaml)) {
      case Yaml.Result.Bad bad -> refused(bad.toString());
      case Yaml.Result.Read(JsonNode root) -> new SettingsReader(baseDir).read(root);
    };
  }

  private static SettingsResult refused(String problem) {
    return new SettingsResult.Refused(List.of(problem));
  }

  private SettingsResult read(JsonNode tree) {
    SettingsSection root = new SettingsSection(tree, "", problems);
    int version = InjectorSettings.VERSION;
    root.number("version", version, version, version);
    Listen listen = listen(root, "listen", "0.0.0.0:15443");
    Listen health = listen(root, "health", "0.0.0.0:15020");
    Optional<CertificateSettings> certificate = certificate(root.section("certificate"));
    Optional<ImageSettings> image = image(root.section("image"));
    Optional<SidecarSettings> sidecar = sidecar(root.section("sidecar"));
    root.refuseOthers();
    if (!problems.isEmpty() || certificate.isEmpty() || image.isEmpty() || sidecar.isEmpty()) {
      return new SettingsResult.Refused(problems.all());
    }
    return new SettingsResult.Loaded(
        new InjectorSettings(listen, health, certificate.get(), image.get(), sidecar.get()));
  }

  private Listen listen(SettingsSection section, String key, String otherwise) {
    String text = section.text(key, otherwise);
    Optional<HostPort> found = HostPort.parse(text).filter(parsed -> parsed.port() >= 0);
    if (found.isEmpty()) {
      section.problem(key, "got \"" + text + "\", expected host:port");
      return new Listen("127.0.0.1", 0);
    }
    return new Listen(found.get().host(), found.get().port());
  }

  private Optional<CertificateSettings> certificate(SettingsSection section) {
    Mode mode = section.choice("mode", Mode.SELF, List.of(Mode.values()), Mode::code);
    Path dir = path(section, "dir", "/etc/parlance-tls");
    String secret = section.text("secret", "parlance-injector-tls");
    String namespace = section.text("namespace", "parlance-system");
    String webhook = section.text("webhook", "parlance-injector");
    List<String> dnsNames =
        section.texts("dnsNames", List.of("parlance-injector." + namespace + ".svc"));
    int leafDays = section.number("leafDays", 30, 1, 365);
    int caDays = section.number("caDays", 365, 3, 3650);
    section.refuseOthers();
    return made(
        section,
        "leafDays",
        () ->
            new CertificateSettings(
                mode, dir, secret, namespace, webhook, dnsNames, leafDays, caDays));
  }

  private Optional<ImageSettings> image(SettingsSection section) {
    String reference = section.needed("reference");
    PullPolicy policy =
        section.choice(
            "pullPolicy", PullPolicy.IfNotPresent, List.of(PullPolicy.values()), PullPolicy::name);
    section.refuseOthers();
    return made(section, "reference", () -> new ImageSettings(reference, policy));
  }

  private Optional<SidecarSettings> sidecar(SettingsSection section) {
    int uid = section.number("uid", UID, 1, 65_535);
    boolean nativeSidecar = section.flag("native", true);
    Interception interception =
        section.choice(
            "interception",
            Interception.REDIRECT,
            List.of(Interception.values()),
            Interception::code);
    OnPrivileged onPrivileged =
        section.choice(
            "onPrivileged",
            OnPrivileged.REFUSE,
            List.of(OnPrivileged.values()),
            OnPrivileged::code);
    LogFormat logFormat =
        section.choice("logFormat", LogFormat.TEXT, List.of(LogFormat.values()), LogFormat::code);
    IdentityDriver identity =
        section.choice(
            "identity",
            IdentityDriver.NONE,
            List.of(IdentityDriver.values()),
            IdentityDriver::code);
    Optional<Resources> resources = resources(section.section("resources"));
    List<Integer> inbound = section.numbers("excludeInboundPorts", 1, 65_535);
    List<Integer> outbound = section.numbers("excludeOutboundPorts", 1, 65_535);
    var config = section.tree("config");
    List<String> patterns = section.texts("overrides", List.of("*"));
    AllowedOverrides.firstBad(patterns)
        .ifPresent(bad ->
            section.problem(
                "overrides",
                "got \"" + bad + "\", expected patterns like config.mode, config.limits.* or *"));
    Optional<ControlPlane> control =
        section.has("control") ? control(section.section("control")) : Optional.empty();
    section.refuseOthers();
    if (!problems.isEmpty() || resources.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new SidecarSettings(
            uid,
            nativeSidecar,
            interception,
            onPrivileged,
            logFormat,
            identity,
            resources.get(),
            inbound,
            outbound,
            config,
            new AllowedOverrides(patterns),
            control));
  }

  private Optional<Resources> resources(SettingsSection section) {
    Quantity cpuRequest = quantity(section, "cpuRequest", "50m");
    Optional<Quantity> cpuLimit =
        section.has("cpuLimit")
            ? Optional.of(quantity(section, "cpuLimit", "1"))
            : Optional.empty();
    Quantity memoryLimit = quantity(section, "memoryLimit", "160Mi");
    Quantity memoryRequest = quantity(section, "memoryRequest", memoryLimit.text());
    Quantity dataLimit = quantity(section, "dataLimit", "512Mi");
    section.refuseOthers();
    return made(
        section,
        "memoryLimit",
        () -> new Resources(cpuRequest, cpuLimit, memoryRequest, memoryLimit, dataLimit));
  }

  private static Quantity quantity(SettingsSection section, String key, String otherwise) {
    String text = section.text(key, otherwise);
    Optional<Quantity> found = Quantity.parse(text);
    if (found.isEmpty()) {
      section.problem(key, "got \"" + text + "\", expected a quantity like " + otherwise);
    }
    return found.orElse(new Quantity(otherwise));
  }

  private Optional<ControlPlane> control(SettingsSection section) {
    String target = section.needed("target");
    if (HostPort.parse(target).filter(parsed -> parsed.port() >= 1).isEmpty()) {
      section.problem("target", "got \"" + target + "\", expected host:port");
    }
    List<String> keys = section.texts("keys", List.of());
    Optional<String> inline = section.text("ca");
    Optional<String> ca =
        section.has("caFile") && inline.isEmpty() ? pem(section, "caFile") : inline;
    if (inline.isPresent() && section.has("caFile")) {
      section.problem("caFile", "got it beside ca, expected one of the two");
    }
    boolean clientCertificate = section.flag("clientCertificate", false);
    section.refuseOthers();
    return made(section, "keys", () -> new ControlPlane(target, keys, ca, clientCertificate));
  }

  private Optional<String> pem(SettingsSection section, String key) {
    Path file = path(section, key, "");
    try {
      return Optional.of(Files.readString(file, StandardCharsets.US_ASCII));
    } catch (IOException e) {
      section.problem(key, "cannot read " + file + ": " + e);
      return Optional.empty();
    }
  }

  private Path path(SettingsSection section, String key, String otherwise) {
    String text = section.text(key, otherwise);
    try {
      return baseDir.resolve(text).normalize();
    } catch (InvalidPathException e) {
      section.problem(key, "got \"" + text + "\", expected a path: " + e.getReason());
      return baseDir;
    }
  }

  /** The record, or a problem with what its constructor refuses. */
  private static <T> Optional<T> made(SettingsSection section, String key, Supplier<T> maker) {
    try {
      return Optional.of(maker.get());
    } catch (IllegalArgumentException e) {
      section.problem(key, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  /** What came of reading the injector's file. */
  public sealed interface SettingsResult {
    /**
     * It is valid.
     *
     * @param settings the settings
     */
    record Loaded(InjectorSettings settings) implements SettingsResult {}

    /**
     * It is not, and nothing of it applies.
     *
     * @param problems all that is wrong, each as {@code key.path: got, expected}; never empty
     */
    record Refused(List<String> problems) implements SettingsResult {
      /** Refuses a refusal without a reason. */
      public Refused {
        problems = List.copyOf(problems);
        if (problems.isEmpty()) {
          throw new IllegalArgumentException("expected at least one problem");
        }
      }
    }
  }
}
