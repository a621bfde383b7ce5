package dev.parlance.loadtest.compare;

import dev.parlance.loadtest.process.InstalledPrograms;
import dev.parlance.loadtest.process.TargetLauncher.Launch;
import io.netty.util.Version;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where something was measured.
 *
 * @param entries name and value, in the order to print
 */
public record MachineFacts(Map<String, String> entries) {
  public MachineFacts {
    entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
  }

  /**
   * What this machine is and what runs on it.
   *
   * @param ready the sidecars among them show how they were started
   */
  static MachineFacts gather(String transport, String pinning, List<Launch.Ready> ready) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processors", cpuinfo("processor").count() + " x " + cpuinfo("model name").first());
    memory().ifPresent(text -> facts.put("memory", text));
    facts.put("pinning", pinning);
    load().ifPresent(text -> facts.put("load before", text));
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.put("netty", netty() + " (" + transport + ")");
    version("haproxy", "-v").ifPresent(line -> facts.put("haproxy", line));
    version("nginx", "-v").ifPresent(line -> facts.put("nginx", line));
    revision(System.getProperty("parlance.root", "."))
        .ifPresent(line -> facts.put("parlance", line));
    ready.stream()
        .filter(target -> target.admin().isPresent())
        .flatMap(target -> target.pids().stream())
        .findFirst()
        .map(MachineFacts::flags)
        .ifPresent(text -> facts.put("sidecar's flags", text));
    facts.put(
        "generator's flags",
        flags(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()));
    return new MachineFacts(facts);
  }

  /** The same with one more at the beginning. */
  MachineFacts with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>();
    more.put(name, value);
    more.putAll(entries);
    return new MachineFacts(more);
  }

  private static Optional<String> memory() {
    return line(Path.of("/proc/meminfo"), "MemTotal:")
        .map(text -> Long.parseLong(text.replaceAll("[^0-9]", "")) / 1024 + " MB");
  }

  private static Optional<String> load() {
    return line(Path.of("/proc/loadavg"), "")
        .map(text -> "load average " + text.split(" ", -1)[0] + " over a minute");
  }

  /** The commit of a checkout. */
  public static Optional<String> revision(String root) {
    return InstalledPrograms.find("git")
        .flatMap(git ->
            InstalledPrograms.firstLine(
                git.toString(), "-C", root, "describe", "--always", "--dirty"))
        .filter(line -> !line.contains("fatal"));
  }

  /** How a virtual machine was started. */
  private static String flags(long pid) {
    try {
      String line =
          Files.readString(
              Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.ISO_8859_1);
      return flags(Arrays.stream(line.split("\0", -1)).skip(1));
    } catch (IOException e) {
      return "unknown";
    }
  }

  /** Without values that are paths: they say something of this machine only. */
  private static String flags(Stream<String> words) {
    return words
        .filter(word -> word.startsWith("-X") || word.startsWith("--"))
        .map(word -> word.contains("/") ? word.replaceFirst("[=:].*", "") : word)
        .filter(word -> !word.equals("--config"))
        .collect(Collectors.joining(" "));
  }

  private static Optional<String> line(Path file, String start) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith(start))
          .findFirst();
    } catch (IOException e) {
      return Optional.empty(); // no Linux
    }
  }

  private static Optional<String> version(String program, String option) {
    return InstalledPrograms.find(program)
        .flatMap(file -> InstalledPrograms.firstLine(file.toString(), option));
  }

  private static String netty() {
    Version version = Version.identify().get("netty-transport");
    return version == null ? "unknown" : version.artifactVersion();
  }

  private record CpuInfo(long count, String first) {}

  private static CpuInfo cpuinfo(String key) {
    try {
      var values =
          Files.readString(Path.of("/proc/cpuinfo"), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> line.startsWith(key) && line.contains(":"))
              .map(line -> line.substring(line.indexOf(':') + 1).strip())
              .toList();
      return new CpuInfo(values.size(), values.isEmpty() ? "unknown model" : values.getFirst());
    } catch (IOException e) {
      return new CpuInfo(Runtime.getRuntime().availableProcessors(), "unknown model");
    }
  }
}
