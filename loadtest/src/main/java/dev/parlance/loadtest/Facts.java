package dev.parlance.loadtest;

import io.netty.util.Version;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where something was measured.
 *
 * @param entries name and value, in the order to print
 */
record Facts(Map<String, String> entries) {
  Facts {
    entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
  }

  static Facts gather(String transport, String pinning) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processors", cpuinfo("processor").count() + " x " + cpuinfo("model name").first());
    facts.put("pinning", pinning);
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.put("netty", netty() + " (" + transport + ")");
    version("haproxy", "-v").ifPresent(line -> facts.put("haproxy", line));
    version("nginx", "-v").ifPresent(line -> facts.put("nginx", line));
    return new Facts(facts);
  }

  private static Optional<String> version(String program, String option) {
    return Tools.find(program).flatMap(file -> Tools.firstLine(file.toString(), option));
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
