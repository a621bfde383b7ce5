package dev.parlance.proxy.config.file;

import dev.parlance.proxy.config.Probe;
import dev.parlance.service.config.Listen;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The keys {@code health} and {@code probes}. */
final class HealthReader {
  private HealthReader() {}

  /** Where the health listener is, if there is one. */
  static Optional<Listen> listen(Section root) {
    return root.has("health") ? ConfigReader.listen(root.section("health")) : Optional.empty();
  }

  /** The probes, as far as they can be read; every problem goes to {@code issues}. */
  static List<Probe> probes(Section root, Issues issues) {
    List<Probe> probes = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Section section : root.sections("probes")) {
      Optional<String> name = section.text("name");
      if (name.isPresent() && !names.add(name.get())) {
        section.problem(
            "name", "two probes are named \"" + name.get() + "\", expected unique names");
      }
      Optional<Probe.Check> check = check(section, issues);
      int port = section.number("port", 0);
      if (name.isPresent() && check.isPresent() && port > 0) {
        probes.add(
            new Probe(
                name.get(),
                section.text("host", Probe.HOST),
                port,
                check.get(),
                section.number("timeoutMs", Probe.TIMEOUT_MS)));
      }
    }
    if (!probes.isEmpty() && root.isAbsent("health")) {
      root.problem("probes", "probes are answered at health.listen, which is absent");
    }
    return List.copyOf(probes);
  }

  private static Optional<Probe.Check> check(Section section, Issues issues) {
    List<Probe.Check> checks = new ArrayList<>();
    section.text("path").ifPresent(path -> checks.add(http(section, path)));
    if (section.flag("tcp", false)) {
      checks.add(new Probe.Check.Tcp());
    }
    section.text("grpc").ifPresent(service -> checks.add(new Probe.Check.Grpc(service)));
    if (checks.size() == 1) {
      return Optional.of(checks.getFirst());
    }
    if (issues.isBad(section.pointer("path")) || issues.isBad(section.pointer("grpc"))) {
      return Optional.empty();
    }
    section.problem(
        "name",
        "the probe has " + checks.size() + " of path, tcp: true and grpc, expected exactly one");
    return Optional.empty();
  }

  private static Probe.Check http(Section section, String path) {
    List<Probe.Header> headers = new ArrayList<>();
    for (Section header : section.sections("headers")) {
      header
          .text("name")
          .ifPresent(name -> headers.add(new Probe.Header(name, header.text("value", ""))));
    }
    return new Probe.Check.Http(
        Choices.of(
            section.text("scheme"), Probe.Scheme.values(), Probe.Scheme::code, Probe.Scheme.HTTP),
        path,
        headers);
  }
}
