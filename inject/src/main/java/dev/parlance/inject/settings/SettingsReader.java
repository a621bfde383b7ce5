package dev.parlance.inject.settings;

import dev.parlance.inject.settings.SidecarSettings.AllowedOverrides;
import dev.parlance.inject.settings.SidecarSettings.ControlPlane;
import dev.parlance.inject.settings.SidecarSettings.Quantity;
import dev.parlance.policy.text.Coded;
import dev.parlance.service.IoWords;
import dev.parlance.service.config.Binder;
import dev.parlance.service.config.ConfigFormat;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.config.HostPort;
import dev.parlance.service.config.Listen;
import dev.parlance.service.config.Schema;
import dev.parlance.service.config.Section;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads the injector's file: all of it is right, or all that is wrong is said. */
public final class SettingsReader {
  /** Largest file, in bytes. */
  public static final int MAX_BYTES = 1_048_576;

  private static final ConfigFormat<InjectorSettings> FORMAT =
      new ConfigFormat<>(
          Schema.of(SettingsReader.class, "injector.schema.json"),
          MAX_BYTES,
          "",
          SettingsReader::types,
          SettingsReader::settings);

  private SettingsReader() {}

  /** Reads a file; paths in it are relative to its folder. */
  public static ConfigResult<InjectorSettings> load(Path file) {
    return FORMAT.load(file);
  }

  /** Reads a text as if it were a file in {@code baseDir}. */
  public static ConfigResult<InjectorSettings> parse(String yaml, Path baseDir) {
    return FORMAT.parse(yaml, baseDir);
  }

  private static Binder.Types types() {
    return new Binder.Types(
            constant -> constant instanceof Coded coded ? coded.code() : constant.name())
        .text(
            Listen.class,
            text ->
                HostPort.parse(text)
                    .filter(found -> found.port() >= 0)
                    .map(found -> new Listen(found.host(), found.port())),
            "host:port")
        .text(Quantity.class, Quantity::parse, "a quantity like 160Mi or 50m")
        .section(
            ObjectNode.class,
            section ->
                Optional.of(
                    section.node() instanceof ObjectNode file
                        ? file
                        : JsonNodeFactory.instance.objectNode()))
        .section(AllowedOverrides.class, SettingsReader::overrides)
        .section(ControlPlane.class, SettingsReader::control);
  }

  private static Optional<InjectorSettings> settings(Section root) {
    Section certificate = root.section("certificate");
    certificate.setDefault(
        "dnsNames",
        JsonNodeFactory.instance
            .arrayNode()
            .add("parlance-injector." + certificate.text("namespace").orElseThrow() + ".svc"));
    Section resources = root.section("sidecar").section("resources");
    resources
        .text("memoryLimit")
        .filter(limit -> Quantity.parse(limit).isPresent())
        .ifPresent(limit -> resources.setDefault("memoryRequest", limit));
    return root.bind(InjectorSettings.class);
  }

  private static Optional<AllowedOverrides> overrides(Section list) {
    boolean allGood = true;
    for (Section.Item item : list.items()) {
      if (AllowedOverrides.firstBad(List.of(item.text())).isPresent()) {
        list.problem(
            item,
            "got \""
                + item.text()
                + "\", expected a pattern like config.mode, config.limits.* or *");
        allGood = false;
      }
    }
    return allGood
        ? Optional.of(new AllowedOverrides(list.items().stream().map(Section.Item::text).toList()))
        : Optional.empty();
  }

  private static Optional<ControlPlane> control(Section control) {
    Optional<String> target = control.text("target");
    if (target.isPresent()
        && HostPort.parse(target.get()).filter(parsed -> parsed.port() >= 1).isEmpty()) {
      control.problem("target", "got \"" + target.get() + "\", expected host:port");
    }
    List<String> keys = control.texts("keys");
    if (keys.isEmpty() && !control.isAbsent("keys")) {
      control.problem("keys", "no key, expected one or more");
    }
    Optional<String> inline = control.text("ca").filter(text -> !text.isEmpty());
    Optional<Path> file = control.path("caFile");
    if (inline.isPresent() && file.isPresent()) {
      control.problem("caFile", "got it beside ca, expected one of the two");
    }
    Optional<String> ca = inline.or(() -> file.flatMap(pem -> pem(control, pem)));
    boolean clientCertificate = control.flag("clientCertificate");
    if (clientCertificate && ca.isEmpty()) {
      control.problem("clientCertificate", "got true, expected ca beside it");
    }
    return target.isEmpty() || keys.isEmpty() || (clientCertificate && ca.isEmpty())
        ? Optional.empty()
        : Optional.of(new ControlPlane(target.get(), keys, ca, clientCertificate));
  }

  private static Optional<String> pem(Section control, Path file) {
    try {
      return Optional.of(Files.readString(file, StandardCharsets.US_ASCII));
    } catch (IOException e) {
      control.problem("caFile", "cannot read " + file + ": " + IoWords.why(e));
      return Optional.empty();
    }
  }
}
