package dev.parlance.demo.agent;

import dev.parlance.demo.agent.Talk.Delivery;
import dev.parlance.demo.license.LicenseEvents;
import dev.parlance.demo.license.LicenseEvents.Event;
import dev.parlance.demo.license.LicenseTerms;
import dev.parlance.demo.license.Usage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One agent as a process of its own.
 *
 * <pre>
 * scholar --ports-file FILE --license FILE
 *         [--advertise URL] [--differs TERM,...] [--binding NAME] [--delivery NAME]
 * officer --ports-file FILE --ask URL
 *         [--advertise URL] [--differs TERM,...] [--binding NAME] [--delivery NAME]
 *         [--proxy HOST:PORT]
 * </pre>
 *
 * The agent takes a free port, which it writes to the ports file, and then reads further {@code
 * name=value} lines from standard input (the flags above without their dashes) up to an empty line:
 * an agent and the sidecar in front of it each need the other's port. Lines after that are {@link
 * Directions}. The terms of {@code --differs} it reads otherwise than usual from the start. Without
 * {@code --advertise} the agent advertises its own address. Binding and delivery are those of
 * {@link Talk}: how the scholar is asked and answers. The process ends when its standard input
 * closes, so that it never outlives whoever started it.
 */
public final class AgentMain {
  private static final long ANSWER_TIMEOUT_MS = 60_000;
  private static final Set<String> FLAGS =
      Set.of(
          "ports-file", "advertise", "license", "ask", "proxy", "differs", "binding", "delivery");

  private AgentMain() {}

  /** Runs until standard input closes; exit status 2 for a bad command line, 1 for a failure. */
  public static void main(String[] args) throws IOException {
    int status;
    try {
      status = run(args);
    } catch (UsageException e) {
      System.err.println(e.getMessage());
      status = 2;
    }
    System.exit(status);
  }

  private static final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
      super(message);
    }
  }

  private static int run(String[] args) throws IOException, UsageException {
    if (args.length == 0 || !Set.of("scholar", "officer").contains(args[0])) {
      throw new UsageException("expected scholar or officer as the first argument");
    }
    Map<String, String> settings = flags(args);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Talk talk = talk(settings);
    // Only the scholar is talked to in that way; orders reach the officer over JSON-RPC.
    Talk own = args[0].equals("scholar") ? talk : Talk.PLAIN;
    try (RunningAgent agent = RunningAgent.bind(0, own)) {
      announce(agent, settings);
      if (!readSettings(in, settings)) {
        return 0;
      }
      Usage usage = usage(args[0], settings);
      agent.using(usage);
      String advertised = settings.getOrDefault("advertise", agent.ownUrl());
      if (args[0].equals("scholar")) {
        agent.startScholar(
            new Scholar(Files.readString(Path.of(required(settings, "license")))), advertised);
        new Directions(usage).follow(in);
        return 0;
      }
      useProxy(settings);
      return switch (AgentCaller.find(required(settings, "ask"), talk, ANSWER_TIMEOUT_MS)) {
        case AgentCaller.Lookup.Found(AgentCaller scholar) -> {
          try (scholar) {
            agent.startOfficer(scholar, advertised, System.out);
            new Directions(usage).follow(in);
          }
          yield 0;
        }
        case AgentCaller.Lookup.Missing(String why) -> {
          System.err.println("no agent at " + settings.get("ask") + ": " + why);
          yield 1;
        }
      };
    }
  }

  private static Map<String, String> flags(String[] args) throws UsageException {
    Map<String, String> settings = new HashMap<>();
    for (int i = 1; i < args.length; i += 2) {
      String name = args[i].startsWith("--") ? args[i].substring(2) : "";
      if (!FLAGS.contains(name) || i + 1 == args.length) {
        throw new UsageException("unknown flag or no value: " + args[i]);
      }
      settings.put(name, args[i + 1]);
    }
    return settings;
  }

  private static Talk talk(Map<String, String> settings) throws UsageException {
    String binding = settings.getOrDefault("binding", Talk.PLAIN.binding().code());
    String delivery = settings.getOrDefault("delivery", Talk.PLAIN.delivery().code());
    return new Talk(
        Talk.Binding.of(binding)
            .orElseThrow(() -> new UsageException("--binding is unknown: " + binding)),
        Delivery.of(delivery)
            .orElseThrow(() -> new UsageException("--delivery is unknown: " + delivery)));
  }

  private static void announce(RunningAgent agent, Map<String, String> settings)
      throws IOException, UsageException {
    String grpc = agent.grpcPort().map(port -> ",\"grpcPort\":" + port).orElse("");
    write(
        Path.of(required(settings, "ports-file")).toAbsolutePath(),
        List.of("{\"port\":" + agent.port() + grpc + "}"));
  }

  /** Writes a file that is there at once or not at all. */
  private static void write(Path file, List<String> lines) throws IOException {
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    Files.write(partial, lines);
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** False if standard input closed before the empty line. */
  private static boolean readSettings(BufferedReader in, Map<String, String> settings)
      throws IOException, UsageException {
    while (true) {
      String line = in.readLine();
      if (line == null) {
        return false;
      }
      if (line.isEmpty()) {
        return true;
      }
      int equals = line.indexOf('=');
      String name = equals < 0 ? line : line.substring(0, equals);
      if (equals < 0 || !FLAGS.contains(name)) {
        throw new UsageException("expected name=value, got " + line);
      }
      settings.put(name, line.substring(equals + 1));
    }
  }

  /** Tells the JDK's HTTP clients to go through the sidecar, to loopback addresses too. */
  private static void useProxy(Map<String, String> settings) throws UsageException {
    String proxy = settings.get("proxy");
    if (proxy == null) {
      return;
    }
    int colon = proxy.lastIndexOf(':');
    if (colon < 1) {
      throw new UsageException("--proxy must be host:port, got " + proxy);
    }
    System.setProperty("http.proxyHost", proxy.substring(0, colon));
    System.setProperty("http.proxyPort", proxy.substring(colon + 1));
    System.setProperty("http.nonProxyHosts", "");
  }

  private static String required(Map<String, String> settings, String name) throws UsageException {
    String value = settings.get(name);
    if (value == null) {
      throw new UsageException("--" + name + " is missing");
    }
    return value;
  }

  private static Usage usage(String who, Map<String, String> settings) throws UsageException {
    Usage usage = new Usage(who);
    String differs = settings.getOrDefault("differs", "");
    for (String term : differs.isEmpty() ? new String[0] : differs.split(",", -1)) {
      if (usage.drift(term).isEmpty()) {
        throw new UsageException("no other reading of \"" + term + "\" is known");
      }
    }
    return usage;
  }

  /**
   * What an agent is told on its standard input while it works, {@code name=value} a line, until
   * that ends.
   *
   * <pre>
   * drift=TERM    from now on read the term in the other way
   * survey=FILE   write what you say of every term on every held-out event: event, term and word,
   *               separated by tabs
   * </pre>
   */
  static final class Directions {
    private final Usage usage;

    Directions(Usage usage) {
      this.usage = usage;
    }

    /** Follows them in their order; returns when the input has ended. */
    void follow(BufferedReader in) throws IOException {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith("drift=")) {
          drift(line.substring("drift=".length()));
        } else if (line.startsWith("survey=")) {
          survey(Path.of(line.substring("survey=".length())));
        } else if (!line.isEmpty()) {
          System.err.println("not a direction: " + line);
        }
      }
    }

    private void drift(String term) {
      usage
          .drift(term)
          .ifPresentOrElse(
              reading -> System.out.println("\"" + term + "\" is now read as " + reading.name()),
              () -> System.err.println("no other reading of \"" + term + "\" is known"));
    }

    private void survey(Path file) throws IOException {
      List<String> lines = new ArrayList<>();
      for (Event event : LicenseEvents.heldOut()) {
        for (LicenseTerms.Word word : LicenseTerms.words()) {
          String answer = usage.answer(word.text(), event.text()).word();
          lines.add(event.pei() + "\t" + word.text() + "\t" + answer);
        }
      }
      write(file, lines);
    }
  }
}
