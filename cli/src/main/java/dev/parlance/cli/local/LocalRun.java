package dev.parlance.cli.local;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.ProcessSignals;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.main.Sidecar;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Agents on this machine, each a process with a sidecar in this process, from their start to their
 * end. Standard input, signals and exit status are the agent's; what was made for the run is gone
 * when it ends.
 */
final class LocalRun {
  /** After SIGTERM or SIGHUP; then an agent that goes on is killed. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  /** So many signals in a row say that somebody has had enough. */
  private static final int KILLING_SIGNALS = 3;

  private static final Map<String, Integer> SIGNALS = Map.of("HUP", 1, "INT", 2, "TERM", 15);
  private static final int SIGNALLED = 128;
  private static final String SELF = "parlance";

  /** The usual ports of a sidecar. */
  static final int CALLERS = 15_006;

  private static final int REQUESTS = 15_001;
  private static final int ADMIN = 15_000;

  private final Terminal terminal;
  private final Options options;
  private final int width;
  private final PrefixedLines own;
  private final String run = UUID.randomUUID().toString();
  private final List<AgentProcess> agents = new CopyOnWriteArrayList<>();
  private final AtomicInteger signals = new AtomicInteger();

  /** The latest signal, without SIG; empty while there was none. */
  private volatile String endedBy = "";

  /**
   * What is run, and how.
   *
   * @param agents at least one; a single one has the standard input of this process
   * @param mode {@code observe} or {@code enforce}
   * @param dataDir what sidecars keep; empty: a folder that is removed
   * @param write where the configuration of the sidecar is kept; for a single agent
   * @param control empty: no control plane
   * @param console whether decisions are shown in a browser
   */
  record Options(
      List<AgentSpec> agents,
      String mode,
      Optional<Path> dataDir,
      Optional<Path> write,
      Optional<RunFile.Control> control,
      Console console) {
    /** Copies the agents. */
    Options {
      agents = List.copyOf(agents);
    }
  }

  /** Whether there is a console. */
  enum Console {
    ON,
    OFF
  }

  LocalRun(Terminal terminal, Options options) {
    this.terminal = terminal;
    this.options = options;
    this.width =
        Stream.concat(Stream.of(SELF), options.agents().stream().map(AgentSpec::name))
            .mapToInt(String::length)
            .max()
            .orElseThrow();
    this.own = new PrefixedLines(SELF, width, terminal.err());
  }

  /**
   * Runs them.
   *
   * @return an exit status
   * @throws IOException if a sidecar cannot start
   */
  int run() throws IOException {
    SIGNALS.keySet().forEach(name -> ProcessSignals.handle(name, () -> signalled(name)));
    Optional<Path> temporary =
        options.dataDir().isPresent()
            ? Optional.empty()
            : Optional.of(Files.createTempDirectory("parlance-run-"));
    Path folder = temporary.orElseGet(() -> options.dataDir().orElseThrow()).toAbsolutePath();
    PrintStream before = System.err;
    try (RunGuard _ = RunGuard.start(run, temporary, this::say);
        PrintStream log =
            new PrintStream(
                new PrefixedLines("sidecar", width, terminal.err()),
                true,
                StandardCharsets.UTF_8)) {
      System.setErr(log); // where the sidecars' log goes
      return run(folder);
    } finally {
      System.setErr(before);
      if (temporary.isPresent()) {
        remove(folder);
      }
    }
  }

  private int run(Path folder) throws IOException {
    Deque<AutoCloseable> open = new ArrayDeque<>();
    try {
      List<SidecarSetup> setups = openAll(folder, open);
      keep(setups);
      serveConsole(folder, setups, open);
      for (SidecarSetup setup : setups) {
        Optional<Integer> failed = start(setup, others(setup, setups));
        if (failed.isPresent()) {
          return failed.get();
        }
      }
      return await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return ExitStatus.FAILED;
    } finally {
      agents.forEach(AgentProcess::close);
      close(open);
    }
  }

  /** Sidecars for all agents, and what they need, listening. */
  private List<SidecarSetup> openAll(Path folder, Deque<AutoCloseable> open) throws IOException {
    while (true) {
      List<SidecarSetup> setups = setups();
      try {
        if (options.control().isPresent()) {
          setups = underControl(folder, options.control().get(), setups, open);
        }
        for (SidecarSetup setup : setups) {
          open(setup, dataDir(folder, setup), open);
        }
        return setups;
      } catch (IOException e) {
        close(open);
        // another run may take a port after it was found free: then there are others
        if (setups.stream().flatMapToInt(SidecarSetup::ports).allMatch(LocalPorts::isFree)) {
          throw e;
        }
      }
    }
  }

  private static List<SidecarSetup> others(SidecarSetup one, List<SidecarSetup> setups) {
    return setups.stream().filter(setup -> !setup.equals(one)).toList();
  }

  /** Starts the control plane, and has what its plan says certified once the agents are there. */
  private List<SidecarSetup> underControl(
      Path folder, RunFile.Control wanted, List<SidecarSetup> setups, Deque<AutoCloseable> open)
      throws IOException {
    Optional<Plan> plan =
        wanted.plan().isPresent()
            ? Optional.of(LocalControl.plan(wanted.plan().get()))
            : Optional.empty();
    LocalControl control = LocalControl.start(folder);
    open.push(control);
    say("the control plane's data: --data-dir %s".formatted(LocalControl.dataDir(folder)));
    List<SidecarSetup> under = new ArrayList<>();
    for (SidecarSetup setup : setups) {
      under.add(
          setup.under(
              control.section(setup.agent(), others(setup, setups)),
              plan.map(one -> one.getCore().getDomain())));
    }
    if (plan.isPresent()) {
      Thread certifying =
          Thread.ofPlatform().daemon().name("certify").start(() -> certify(control, plan.get()));
      open.push(certifying::interrupt);
    }
    return under;
  }

  private void certify(LocalControl control, Plan plan) {
    try {
      control.certify(plan, this::say);
    } catch (IOException e) {
      if (!Thread.currentThread().isInterrupted()) {
        say("nothing was certified: " + e.getMessage());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the run is over
    }
  }

  /** For whoever prefers a browser; agents run without it as well. */
  private void serveConsole(Path folder, List<SidecarSetup> setups, Deque<AutoCloseable> open) {
    if (options.console() == Console.OFF) {
      return;
    }
    Map<String, Path> sidecars = new LinkedHashMap<>();
    setups.forEach(setup -> sidecars.put(setup.agent().name(), dataDir(folder, setup)));
    try {
      Optional<Path> control = options.control().map(_ -> LocalControl.dataDir(folder));
      LocalConsole console = LocalConsole.start(sidecars, control, terminal.environment());
      open.push(console);
      say("in a browser, once: %s".formatted(console.link()));
      say(
          "  another link: parlance console --data-dir %s"
              .formatted(dataDir(folder, setups.getFirst())));
    } catch (IOException e) {
      say("there is no console: " + e.getMessage());
    }
  }

  private Path dataDir(Path folder, SidecarSetup setup) {
    return options.agents().size() == 1 ? folder : folder.resolve(setup.agent().name());
  }

  private List<SidecarSetup> setups() throws IOException {
    LocalPorts ports = new LocalPorts();
    for (AgentSpec agent : options.agents()) {
      ports.reserve(agent.port());
      if (LocalPorts.isListening("127.0.0.1", agent.port())) {
        throw CommandProblem.failed(
            "run: %s is to listen on port %d, and another program does already; end that, or give"
                    .formatted(agent.name(), agent.port())
                + " the agent another port");
      }
    }
    List<SidecarSetup> setups = new ArrayList<>();
    for (AgentSpec agent : options.agents()) {
      int callers =
          agent.callers().isPresent()
              ? ports.exactly(agent.callers().get(), "--port")
              : ports.usually(CALLERS);
      if (agent.callers().isEmpty() && callers != CALLERS && options.agents().size() == 1) {
        say("port %d is taken; callers reach the agent at %d instead".formatted(CALLERS, callers));
      }
      setups.add(
          new SidecarSetup(
              agent,
              options.mode(),
              callers,
              ports.usually(REQUESTS),
              ports.usually(ADMIN),
              ModelProvider.of(agent.environment(), terminal.environment()),
              Optional.empty(),
              Optional.empty()));
    }
    return setups;
  }

  private void keep(List<SidecarSetup> setups) throws IOException {
    if (options.write().isPresent()) {
      Path file = options.write().get();
      Files.writeString(file, setups.getFirst().yaml("parlance-data"));
      say("the sidecar's configuration is kept: parlance proxy --config %s".formatted(file));
    }
  }

  private void open(SidecarSetup setup, Path dataDir, Deque<AutoCloseable> open)
      throws IOException {
    Files.createDirectories(dataDir);
    Path file = dataDir.resolve("sidecar.yaml");
    Files.writeString(file, setup.yaml(dataDir.toString()));
    switch (ConfigLoader.load(file)) {
      case ConfigResult.Refused<SidecarConfig> refused ->
          throw CommandProblem.failed("run: " + refused.problems().getFirst());
      case ConfigResult.Loaded(SidecarConfig config) -> {
        String name = options.agents().size() == 1 ? "verdict" : setup.agent().name() + " verdict";
        PrefixedLines verdicts = new PrefixedLines(name, width, terminal.err());
        open.push(new VerdictFollower(dataDir, text -> line(verdicts, text)));
        open.push(Sidecar.start(config, file));
      }
    }
  }

  /** An exit status if there is to be an end already. */
  private Optional<Integer> start(SidecarSetup setup, List<SidecarSetup> others) {
    AgentSpec agent = setup.agent();
    AgentEnvironment environment = AgentEnvironment.of(terminal.environment(), setup, others, run);
    announce(setup, environment);
    if (!endedBy.isEmpty()) {
      return Optional.of(SIGNALLED + SIGNALS.getOrDefault(endedBy, 0));
    }
    boolean isOnly = options.agents().size() == 1;
    try {
      AgentProcess process =
          AgentProcess.start(
              agent,
              environment,
              isOnly ? AgentProcess.Input.OURS : AgentProcess.Input.NONE,
              new AgentProcess.Outputs(
                  new PrefixedLines(agent.name(), width, terminal.out()),
                  new PrefixedLines(agent.name(), width, terminal.err())));
      String missed = join(process);
      if (!missed.isEmpty()) {
        process.signal(missed);
      }
      AgentWatch watch = new AgentWatch(setup, process, this::say);
      Thread.ofVirtual()
          .name(agent.name() + "-watch")
          .start(() -> {
            try {
              watch.run();
            } catch (InterruptedException _) {
              Thread.currentThread().interrupt();
            }
          });
      return Optional.empty();
    } catch (IOException e) {
      boolean isDenied = String.valueOf(e.getMessage()).contains("error: 13");
      terminal.fail("run: " + whyNot(agent, isDenied, e));
      return Optional.of(isDenied ? AgentProcess.NOT_EXECUTABLE : AgentProcess.NOT_FOUND);
    }
  }

  private static String whyNot(AgentSpec agent, boolean isDenied, IOException failure) {
    String program = agent.command().getFirst();
    if (!Files.isDirectory(agent.folder())) {
      return "there is no folder " + agent.folder();
    }
    if (isDenied) {
      return program + " may not be executed: chmod +x " + program + ", or name its interpreter";
    }
    return String.valueOf(failure.getMessage()).contains("error: 2 ")
        ? "there is no program " + program + (program.contains("/") ? "" : " in PATH")
        : String.valueOf(failure.getMessage());
  }

  /** From now on it gets the signals; the one that came just before, which it has not got. */
  private String join(AgentProcess process) {
    synchronized (agents) {
      agents.add(process);
      return endedBy;
    }
  }

  private void announce(SidecarSetup setup, AgentEnvironment environment) {
    say("call %s at %s".formatted(setup.agent().name(), setup.callersUrl()));
    say(
        options.mode().equals("observe")
            ? "its messages are judged, and all go on as they are (--enforce holds back what does"
                + " not hold)"
            : "its messages are judged, and what does not hold is asked for again or held");
    StringBuilder ways = new StringBuilder();
    environment
        .ways()
        .forEach((name, value) ->
            ways.append(ways.isEmpty() ? "" : ", ").append(name).append('=').append(value));
    say("given to it: %s".formatted(ways));
    environment
        .kept()
        .forEach((name, value) ->
            say(
                ("%s is %s already and stays so: what the agent asks by it does not pass the"
                        + " sidecar")
                    .formatted(name, value)));
  }

  /** Until the last has ended: the first status that is not 0. */
  private int await() throws InterruptedException {
    int status = ExitStatus.OK;
    for (AgentProcess process : agents) {
      int one = process.await();
      if (options.agents().size() > 1) {
        say("%s has ended with status %d".formatted(process.agent().name(), one));
      }
      status = status == ExitStatus.OK ? one : status;
    }
    return status;
  }

  private void signalled(String name) {
    int count = signals.incrementAndGet();
    List<AgentProcess> joined;
    synchronized (agents) {
      endedBy = name;
      joined = List.copyOf(agents);
    }
    // Ctrl-C: the terminal itself has sent it to every process in front
    boolean hasItAlready =
        name.equals("INT") && "1".equals(terminal.environment().get("PARLANCE_STDIN_IS_TERMINAL"));
    if (!hasItAlready) {
      joined.forEach(process -> process.signal(name));
    }
    if (count >= KILLING_SIGNALS) {
      agents.forEach(AgentProcess::kill);
    } else if (!name.equals("INT")) {
      Thread.ofPlatform()
          .daemon()
          .name("grace")
          .start(() -> {
            try {
              Thread.sleep(GRACE);
              agents.forEach(AgentProcess::kill);
            } catch (InterruptedException _) {
              Thread.currentThread().interrupt();
            }
          });
    }
  }

  private void say(String text) {
    line(own, text);
  }

  private static void line(PrefixedLines lines, String text) {
    byte[] bytes = (TerminalEscaper.line(text) + "\n").getBytes(StandardCharsets.UTF_8);
    lines.write(bytes, 0, bytes.length);
  }

  private void close(Deque<AutoCloseable> open) {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        terminal.note("run: %s", e);
      }
    }
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
