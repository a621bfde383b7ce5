package dev.parlance.loadtest.process;

import dev.parlance.loadtest.load.LoadPlan.Protocol;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Minimal configurations of the proxies under test: one thread, keep-alive on both sides, no access
 * log, bodies in memory. Each is a resource with words in braces.
 */
public final class ProxyConfigs {
  /** What a proxy needs beside the body in its buffer: header blocks and reserve. */
  private static final int LUA_BUFFER_RESERVE = 16_384;

  private static final Pattern WORD = Pattern.compile("\\{[a-zA-Z]+}");

  private ProxyConfigs() {}

  /** A resource with its words filled in; a line with a word that there is not is left out. */
  private static String filled(String resource, Map<String, Object> words) {
    return text(resource)
        .lines()
        .map(line -> {
          String text = line;
          for (Map.Entry<String, Object> word : words.entrySet()) {
            text = text.replace("{" + word.getKey() + "}", word.getValue().toString());
          }
          return text;
        })
        .filter(line -> !WORD.matcher(line).find())
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** A text resource of this package. */
  static String text(String resource) {
    try (InputStream in = ProxyConfigs.class.getResourceAsStream(resource)) {
      return new String(
          Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Object> words(int port, int upstreamPort, Protocol protocol) {
    Map<String, Object> words = new HashMap<>();
    words.put("port", port);
    words.put("upstream", upstreamPort);
    words.put("speaks", protocol == Protocol.H2 ? " proto h2" : "");
    return words;
  }

  /** An HAProxy configuration for {@code haproxy -db -f FILE}; it forwards unread. */
  static String haproxy(int port, int upstreamPort, Protocol protocol) {
    return filled("haproxy.cfg", words(port, upstreamPort, protocol));
  }

  /**
   * The same with the reading pass of a script.
   *
   * @param script file with the actions {@code read_question} and {@code read_answer}
   * @param bodyBytes the largest body: HAProxy reads no more of one than its buffer holds
   */
  static String haproxyLua(
      int port, int upstreamPort, Protocol protocol, Path script, int bodyBytes) {
    Map<String, Object> words = words(port, upstreamPort, protocol);
    words.put("bufferBytes", bodyBytes + LUA_BUFFER_RESERVE);
    words.put("script", script);
    words.put("lua", "lua");
    return filled("haproxy.cfg", words);
  }

  /** What every one begins with. */
  static String haproxyHead() {
    String whole = filled("haproxy.cfg", Map.of());
    return whole.substring(0, whole.indexOf("frontend load"));
  }

  /**
   * An nginx configuration for {@code nginx -c FILE}.
   *
   * @param buildFlags what {@code nginx -V} prints: modules it was built without have no settings
   */
  static String nginx(int port, int upstreamPort, Path folder, String buildFlags) {
    Map<String, Object> words = words(port, upstreamPort, Protocol.HTTP1);
    words.put("folder", folder);
    for (String module : List.of("fastcgi", "uwsgi", "scgi")) {
      if (!buildFlags.contains("--without-http_" + module + "_module")) {
        words.put(module, folder);
      }
    }
    return filled("nginx.conf", words);
  }

  /**
   * Where a sidecar gets its core from.
   *
   * @param port of the control plane's gRPC listener on the loopback address
   * @param agent id of the agent beside the sidecar
   * @param peer id of the agent on the other side
   * @param domain whose vocabulary is governed
   * @param tokenFile with the sidecar's token
   * @param keysFile with the key that signs cores
   */
  public record Guard(
      int port, String agent, String peer, String domain, Path tokenFile, Path keysFile) {}

  /**
   * A sidecar configuration: inbound listener in front of the upstream, on a free port.
   *
   * @param mode {@code observe} or {@code enforce}
   */
  public static String parlance(String mode, int upstreamPort, Path folder) {
    return judging(mode, upstreamPort, Protocol.HTTP1, folder);
  }

  /** A sidecar that judges without a core. */
  static String judging(String mode, int upstreamPort, Protocol protocol, Path folder) {
    return filled("sidecar.yaml", judged(mode, upstreamPort, protocol, folder));
  }

  private static Map<String, Object> judged(
      String mode, int upstreamPort, Protocol protocol, Path folder) {
    Map<String, Object> words = sidecar(mode, upstreamPort, protocol, folder);
    words.put("codec", "a2a");
    words.put("grounding", "optional");
    return words;
  }

  /**
   * A sidecar that reads no body: its route has a codec that does not take JSON, and lets pass what
   * it cannot take; every message is counted and logged as not judged.
   */
  static String forwarding(int upstreamPort, Protocol protocol, Path folder) {
    Map<String, Object> words = sidecar("enforce", upstreamPort, protocol, folder);
    words.put("codec", "text");
    words.put("onUnjudged", "allow");
    return filled("sidecar.yaml", words);
  }

  /** A sidecar whose route reads nothing, and logs nothing of what goes through. */
  static String unread(int upstreamPort, Protocol protocol, Path folder) {
    Map<String, Object> words = sidecar("enforce", upstreamPort, protocol, folder);
    words.put("read", "none");
    return filled("sidecar.yaml", words);
  }

  /**
   * A sidecar that enforces, and holds every message that it reads against a core.
   *
   * @param kind which messages it reads, and whether a console hears of what it holds
   */
  static String guarding(
      int upstreamPort, Protocol protocol, Path folder, Guard guard, TargetKind kind) {
    Map<String, Object> words = judged("enforce", upstreamPort, protocol, folder);
    words.put("read", kind == TargetKind.PARLANCE_ANSWERS ? "answer" : "all");
    words.put("console", kind != TargetKind.PARLANCE_UNSHOWN);
    words.put("controlPort", guard.port());
    words.put("agent", guard.agent());
    words.put("peer", guard.peer());
    words.put("domain", guard.domain());
    words.put("tokenFile", guard.tokenFile());
    words.put("keysFile", guard.keysFile());
    return filled("sidecar.yaml", words);
  }

  private static Map<String, Object> sidecar(
      String mode, int upstreamPort, Protocol protocol, Path folder) {
    Map<String, Object> words = words(0, upstreamPort, protocol);
    words.put("mode", mode);
    words.put("folder", folder);
    words.put("portsFile", MeasuredSidecar.portsFile(folder));
    words.put("agentProtocol", protocol == Protocol.H2 ? "http2" : "http1");
    return words;
  }
}
