package dev.parlance.demo.agent;

import dev.parlance.demo.license.DemoJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;

/**
 * One agent as a process of its own.
 *
 * <pre>
 * scholar --port PORT --license FILE [--advertise URL]
 * officer --port PORT --ask URL [--advertise URL] [--proxy HOST:PORT]
 * </pre>
 *
 * Without {@code --advertise} the agent advertises its own address. The process ends when its
 * standard input closes, so that it never outlives whoever started it.
 */
public final class AgentMain {
  private static final Set<String> FLAGS = Set.of("port", "advertise", "license", "ask", "proxy");

  private AgentMain() {}

  /** Runs until standard input closes; exit status 2 for a bad command line, 1 for a failure. */
  public static void main(String[] args) throws IOException {
    try {
      run(args);
      System.exit(0);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
  }

  private static void run(String[] args) throws IOException {
    Map<String, String> settings = settings(args);
    boolean scholar = args[0].equals("scholar");
    String proxy = settings.get("proxy");
    if (proxy != null) {
      // The JDK's HTTP clients go through the sidecar, to loopback addresses too.
      System.setProperty("http.proxyHost", proxy.substring(0, Math.max(0, proxy.indexOf(':'))));
      System.setProperty("http.proxyPort", proxy.substring(proxy.indexOf(':') + 1));
      System.setProperty("http.nonProxyHosts", "");
    }
    int port = Integer.parseInt(required(settings, "port"));
    try (RunningAgent agent = RunningAgent.bind("license-" + args[0], Talk.PLAIN, port)) {
      String advertised = settings.getOrDefault("advertise", agent.ownUrl());
      if (scholar) {
        String license = Files.readString(Path.of(required(settings, "license")));
        agent.startScholar(new Scholar(license), advertised);
        awaitEnd();
        return;
      }
      try (AgentCaller asks = AgentCaller.find(AgentCaller.Way.to(required(settings, "ask")))) {
        agent.startOfficer(
            asks,
            advertised,
            receipt ->
                System.out.println(
                    JsonMapper.shared().writeValueAsString(DemoJson.members(receipt))));
        awaitEnd();
      }
    }
  }

  private static void awaitEnd() throws IOException {
    long _ = System.in.transferTo(java.io.OutputStream.nullOutputStream());
  }

  private static Map<String, String> settings(String[] args) {
    if (args.length == 0 || !Set.of("scholar", "officer").contains(args[0])) {
      throw new IllegalArgumentException("expected scholar or officer as the first argument");
    }
    Map<String, String> settings = new HashMap<>();
    for (int i = 1; i < args.length; i += 2) {
      String name = args[i].startsWith("--") ? args[i].substring(2) : "";
      if (!FLAGS.contains(name) || i + 1 == args.length) {
        throw new IllegalArgumentException("unknown flag or no value: " + args[i]);
      }
      settings.put(name, args[i + 1]);
    }
    return settings;
  }

  private static String required(Map<String, String> settings, String name) {
    String value = settings.get(name);
    if (value == null) {
      throw new IllegalArgumentException("--" + name + " is missing");
    }
    return value;
  }
}
