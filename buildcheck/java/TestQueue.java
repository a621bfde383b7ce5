import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs the tests of many modules as one queue: a few workers, each a JVM with the class path of one
 * module at a time ({@link TestWorker}), take class after class until none is left. A worker stays
 * with its module while that has classes; then it takes the module with most work that nobody is
 * at, and at last shares one. What is known to take long goes first ({@code
 * buildcheck/slow-tests}).
 *
 * <p>When the queue is through and no more than {@code --again=N} classes failed, each of them is
 * run once more, alone in a JVM of its own. One that passes then is no failure but a flake: its
 * first failure is printed as every failure is, and named and counted in the last lines. More than
 * N failures are a broken build and are not tried again.
 *
 * <p>Every class has a bound on its time; a JVM that passes it, or ends, is a failure of the class
 * that it was at, and the queue goes on with another JVM. Output of tests goes to {@code
 * target/surefire-reports}, that of failed ones to the terminal, too. Last come the classes that
 * cost most, and a line as Surefire's, for whoever counts tests by it.
 */
final class TestQueue {
  private static final int OUTPUT_CHARS = 2_000_000;
  private static final int SHOWN_OUTPUT_CHARS = 20_000;
  private static final int DEAREST = 20;

  /** So long a JVM may take to start; whether it still runs is looked at so often. */
  private static final int START_MS = 60_000;

  private static final int ACCEPT_MS = 250;

  private static final Pattern UNIT = Pattern.compile("(Test.*|.*Tests?|.*TestCase)");
  private static final Pattern INTEGRATION = Pattern.compile("(IT.*|.*IT|.*ITCase)");

  private final Options options;
  private final List<Module> modules = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final List<Run> failedRuns = new ArrayList<>();
  private final List<String> flakes = new ArrayList<>();
  private final List<TestResults> done = new ArrayList<>();
  private final PrintStream out = System.out;
  private final long startNs = System.nanoTime();
  private int tests;
  private int failed;
  private int errors;
  private int skipped;
  private int classesDone;
  private int classes;

  /** A class that failed, and what its failures are counted as. */
  private record Run(
      Module module, TestResults results, int failed, int errors, List<String> failures) {}

  /**
   * What is asked for.
   *
   * @param root of the checkout
   * @param target folder of a module with classes and class path: "target", "target/dev"
   * @param worker class path of the workers themselves: they and JUnit's launcher
   * @param java that runs them
   * @param jvm further flags; a module adds its own in src/test/jvm.options
   * @param workers how many run at a time
   * @param limitS seconds that one class may take
   * @param again how many classes may fail and be tried once more
   * @param tags see {@link TestWorker}
   * @param verbose true to show what tests print while they run
   * @param only "policy", "policy=Class", "policy=Class#method"
   */
  private record Options(
      Path root,
      String target,
      String worker,
      String java,
      List<String> jvm,
      int workers,
      long limitS,
      int again,
      List<String> tags,
      String kind,
      boolean verbose,
      List<String> only) {
    static Options read(String[] args) {
      Map<String, String> named = new LinkedHashMap<>();
      List<String> only = new ArrayList<>();
      for (String arg : args) {
        if (arg.startsWith("--")) {
          String[] parts = arg.substring(2).split("=", 2);
          named.put(parts[0], parts.length == 2 ? parts[1] : "");
        } else {
          only.add(arg);
        }
      }
      return new Options(
          Path.of(named.get("root")),
          named.getOrDefault("target", "target"),
          named.get("worker"),
          named.get("java"),
          words(named.getOrDefault("jvm", "")),
          Integer.parseInt(named.getOrDefault("workers", "2")),
          Long.parseLong(named.getOrDefault("limit", "600")),
          Integer.parseInt(named.getOrDefault("again", "0")),
          words(named.getOrDefault("tags", "")),
          named.getOrDefault("kind", "all"),
          named.containsKey("verbose"),
          only);
    }

    private static List<String> words(String text) {
      return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
    }
  }

  /** The classes of a module that wait. */
  private static final class Module {
    final String name;
    final Path folder;
    final Deque<String> open;
    int workers;

    Module(String name, Path folder, List<String> open) {
      this.name = name;
      this.folder = folder;
      this.open = new ArrayDeque<>(open);
    }
  }

  private TestQueue(Options options) {
    this.options = options;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    System.exit(new TestQueue(Options.read(args)).run() ? 0 : 1);
  }

  private boolean run() throws IOException, InterruptedException {
    List<String> slow = slowFirst();
    Map<String, List<String>> wanted = new LinkedHashMap<>();
    for (String unit : options.only) {
      String[] parts = unit.split("=", 2);
      wanted
          .computeIfAbsent(parts[0], x -> new ArrayList<>())
          .addAll(
              parts.length == 2
                  ? List.of(parts[1])
                  : testClasses(options.root.resolve(parts[0]), slow));
    }
    for (Map.Entry<String, List<String>> each : wanted.entrySet()) {
      if (!each.getValue().isEmpty()) {
        Path folder = options.root.resolve(each.getKey());
        modules.add(new Module(each.getKey(), folder, each.getValue()));
        classes += each.getValue().size();
      }
    }
    List<Thread> slots = new ArrayList<>();
    for (int i = 0; i < options.workers; i++) {
      slots.add(Thread.ofPlatform().start(this::work));
    }
    for (Thread slot : slots) {
      slot.join();
    }
    runAgain();
    summary();
    return failed + errors == 0;
  }

  private List<String> slowFirst() throws IOException {
    Path file = options.root.resolve("buildcheck/slow-tests");
    return Files.exists(file)
        ? Files.readAllLines(file).stream().filter(line -> !line.startsWith("#")).toList()
        : List.of();
  }

  private List<String> testClasses(Path folder, List<String> slow) throws IOException {
    Path base = folder.resolve(options.target).resolve("test-classes");
    if (!Files.isDirectory(base)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(base)) {
      return all.map(base::relativize)
          .map(Path::toString)
          .filter(name -> name.endsWith(".class") && !name.contains("$"))
          .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
          .filter(this::isWanted)
          .sorted(Comparator.comparingInt((String name) -> place(slow, name)).thenComparing(x -> x))
          .toList();
    }
  }

  private boolean isWanted(String type) {
    String name = type.substring(type.lastIndexOf('.') + 1);
    boolean integration = INTEGRATION.matcher(name).matches();
    boolean unit = !integration && UNIT.matcher(name).matches();
    return switch (options.kind) {
      case "unit" -> unit;
      case "integration" -> integration;
      default -> unit || integration;
    };
  }

  private static int place(List<String> slow, String type) {
    int found = slow.indexOf(type.substring(type.lastIndexOf('.') + 1));
    return found < 0 ? Integer.MAX_VALUE : found;
  }

  // ---- the queue ----

  private void work() {
    for (Optional<Module> next = nextModule(); next.isPresent(); next = nextModule()) {
      Module module = next.get();
      try (Worker worker = new Worker(module)) {
        for (Optional<String> test = nextClass(module, worker); test.isPresent(); ) {
          worker.run(test.get());
          test = worker.isSound() ? nextClass(module, worker) : Optional.empty();
        }
      } catch (IOException | InterruptedException e) {
        lost(module, e.toString());
      } finally {
        synchronized (this) {
          module.workers--;
        }
      }
    }
  }

  /** The module with most classes that nobody is at; else the one with most that are left. */
  private synchronized Optional<Module> nextModule() {
    Optional<Module> next =
        modules.stream()
            .filter(module -> !module.open.isEmpty())
            .filter(module -> module.workers == 0 || module.open.size() > 1)
            .min(
                Comparator.comparingInt((Module module) -> module.workers)
                    .thenComparingInt(module -> modules.indexOf(module)));
    next.ifPresent(module -> module.workers++);
    return next;
  }

  private synchronized Optional<String> nextClass(Module module, Worker worker) {
    return Optional.ofNullable(module.open.poll());
  }

  /** Those that failed, alone; in a build that is broken, none. */
  private void runAgain() throws InterruptedException {
    if (failedRuns.size() > options.again) {
      return;
    }
    for (Run first : List.copyOf(failedRuns)) {
      String type = first.results.type;
      out.println("[WARNING] " + type + " failed; once more, alone");
      try (Worker worker = new Worker(first.module)) {
        // What counts is the second run, as a failure of its own or as a flake.
        tests -= first.results.testCount();
        skipped -= first.results.count("skip");
        failed -= first.failed;
        errors -= first.errors;
        failures.removeAll(first.failures);
        int before = failedRuns.size();
        worker.run(type);
        if (failedRuns.size() == before) {
          flakes.addAll(first.failures);
        }
      } catch (IOException e) {
        lost(first.module, type + " could not be run again: " + e);
      }
    }
  }

  private synchronized void lost(Module module, String why) {
    errors++;
    String test = module.open.isEmpty() ? "" : " (" + module.open.poll() + " was not run)";
    failures.add(module.name + ": no JVM for its tests: " + why + test);
    out.println("[ERROR] " + failures.getLast());
  }

  private final class Worker implements AutoCloseable {
    private final Module module;
    private final ServerSocket server;
    private final Process process;
    private final StringBuilder output = new StringBuilder();
    private final Thread reader;
    private final Socket socket;
    private final BufferedReader in;
    private final PrintStream to;
    private boolean sound = true;

    Worker(Module module) throws IOException, InterruptedException {
      this.module = module;
      server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      server.setSoTimeout(ACCEPT_MS);
      Path target = module.folder.resolve(options.target);
      List<String> command = new ArrayList<>(List.of(options.java));
      command.addAll(options.jvm);
      Path more = module.folder.resolve("src/test/jvm.options");
      if (Files.exists(more)) {
        command.addAll(Options.words(Files.readString(more)));
      }
      // each TLS context keeps its key in a store in memory, sealed and opened with 10,000
      // iterations
      command.add("-Dkeystore.pkcs12.keyPbeIterationCount=1");
      command.add("-Dbasedir=" + module.folder);
      command.add("-cp");
      String own = target.resolve("test-classes") + ":" + target.resolve("classes");
      command.add(
          own
              + ":"
              + Files.readString(target.resolve("classpath.test")).strip()
              + ":"
              + options.worker);
      command.add("TestWorker");
      command.add(Integer.toString(server.getLocalPort()));
      command.addAll(options.tags);
      ProcessBuilder builder =
          new ProcessBuilder(command).directory(module.folder.toFile()).redirectErrorStream(true);
      builder.environment().put("ORT_DISABLE_TELEMETRY", "1");
      process = builder.start();
      process.getOutputStream().close();
      reader = Thread.ofPlatform().daemon().start(this::readOutput);
      try {
        socket = accept();
      } catch (IOException e) {
        process.destroyForcibly();
        reader.join(2_000);
        throw new IOException("it did not start: " + output, e);
      }
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      to = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /** Waits for the JVM to call, but not for one that has ended. */
    private Socket accept() throws IOException {
      for (int waited = 0; ; waited += ACCEPT_MS) {
        boolean mayCall = process.isAlive() && waited < START_MS;
        try {
          return server.accept();
        } catch (SocketTimeoutException e) {
          if (!mayCall) {
            throw e;
          }
        }
      }
    }

    boolean isSound() {
      return sound;
    }

    private void readOutput() {
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (options.verbose) {
            out.println(line);
          }
          synchronized (output) {
            if (output.length() < OUTPUT_CHARS) {
              output.append(line).append('\n');
            }
          }
        }
      } catch (IOException _) {
        // it has ended
      }
    }

    void run(String test) throws InterruptedException {
      synchronized (output) {
        output.setLength(0);
      }
      TestResults.Cost before = TestResults.Cost.of(process.pid());
      TestResults results = new TestResults(module.name, test);
      AtomicBoolean over = new AtomicBoolean();
      AtomicLong began = new AtomicLong(System.nanoTime());
      Thread watch = Thread.ofPlatform().daemon().start(() -> watch(over, began));
      to.println(test);
      try {
        String line = in.readLine();
        for (; line != null && !line.equals("done"); line = in.readLine()) {
          results.take(line.split("\t", -1));
        }
        if (line == null) {
          sound = false;
          results.broken(
              System.nanoTime() - began.get() > options.limitS * 1_000_000_000L
                  ? "it took more than " + options.limitS + " s"
                  : "its JVM ended");
        }
      } catch (IOException e) {
        sound = false;
        results.broken(e.toString());
      }
      over.set(true);
      watch.interrupt();
      results.over(TestResults.Cost.of(process.pid()).since(before));
      String printed;
      synchronized (output) {
        printed = output.toString();
      }
      finished(module, results, printed);
    }

    private void watch(AtomicBoolean over, AtomicLong began) {
      try {
        TimeUnit.SECONDS.sleep(options.limitS);
        if (!over.get()) {
          threads();
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly();
        }
      } catch (InterruptedException _) {
        // the class is through
      }
    }

    /** Where its threads are, into its output. */
    private void threads() throws InterruptedException {
      try {
        new ProcessBuilder(
                Path.of(options.java).resolveSibling("jcmd").toString(),
                Long.toString(process.pid()),
                "Thread.print")
            .redirectErrorStream(true)
            .redirectOutput(module.folder.resolve("target/threads.txt").toFile())
            .start()
            .waitFor(10, TimeUnit.SECONDS);
      } catch (IOException e) {
        out.println("[WARNING] no thread dump: " + e);
      }
    }

    @Override
    public void close() throws IOException, InterruptedException {
      to.println();
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
      socket.close();
      server.close();
    }
  }

  // ---- what came of it ----

  private synchronized void finished(Module module, TestResults results, String printed) {
    int bad = results.count("fail");
    int broken = results.count("error");
    int left = results.count("skip");
    int all = results.testCount();
    tests += all;
    failed += bad;
    errors += broken;
    skipped += left;
    classesDone++;
    done.add(results);
    try {
      results.write(module.folder.resolve(options.target).resolve("surefire-reports"), printed);
    } catch (IOException e) {
      out.println("[WARNING] no report of " + results.type + ": " + e);
    }
    if (all == 0 && results.type.indexOf('#') < 0) {
      return;
    }
    out.printf(
        "[%s] Tests run: %d, Failures: %d, Errors: %d, Skipped: %d, Time elapsed: %.3f s -- in %s"
            + " (%s, %d of %d, %.1f s CPU)%n",
        bad + broken > 0 ? "ERROR" : left > 0 ? "WARNING" : "INFO",
        all,
        bad,
        broken,
        left,
        results.elapsedS(),
        results.type,
        module.name,
        classesDone,
        classes,
        results.cost().ms() / 1e3);
    List<String> mine = new ArrayList<>();
    for (String[] line : results.lines) {
      if (line[0].equals("skip")) {
        out.println("[WARNING]   " + line[1] + ": " + TestResults.text(line));
      } else if (!line[0].equals("pass")) {
        String where = results.type + "." + line[1];
        mine.add(where + ": " + TestResults.text(line).lines().findFirst().orElse(""));
        out.println("[ERROR] " + where + "\n" + TestResults.text(line).indent(2));
      }
    }
    if (!mine.isEmpty()) {
      failures.addAll(mine);
      failedRuns.add(new Run(module, results, bad, broken, mine));
    }
    if (bad + broken > 0 && !options.verbose && !printed.isEmpty()) {
      int cut = Math.max(0, printed.length() - SHOWN_OUTPUT_CHARS);
      out.println("[ERROR] what it printed" + (cut > 0 ? " (the end of it)" : "") + ":");
      out.println(printed.substring(cut).indent(4));
    }
  }

  /**
   * Where the time went. A class that waits is as long as one that works: what is neither its own
   * processor time nor that of processes that it started, it slept or stood in line for a core.
   */
  private void dearest() {
    out.println();
    out.printf(
        "[INFO] Dearest classes (seconds: wall, own CPU, CPU of processes that have ended,"
            + " rest)%n");
    done.stream()
        .sorted(Comparator.comparingDouble(TestQueue::weight).reversed())
        .limit(DEAREST)
        .forEach(results ->
            out.printf(
                "[INFO] %6.1f %6.1f %6.1f %6.1f  %s (%s)%n",
                results.elapsedS(),
                results.cost().ownMs() / 1e3,
                results.cost().childrenMs() / 1e3,
                Math.max(0, results.elapsedS() - results.cost().ms() / 1e3),
                results.type,
                results.module));
  }

  private static double weight(TestResults results) {
    return Math.max(results.elapsedS(), results.cost().ms() / 1e3);
  }

  private void summary() {
    if (done.size() > DEAREST) {
      dearest();
    }
    out.println();
    if (!failures.isEmpty()) {
      out.println("[ERROR] Failures:");
      failures.forEach(failure -> out.println("[ERROR]   " + failure));
    }
    if (!flakes.isEmpty()) {
      out.println("[WARNING] Flakes: these failed among the others and passed alone");
      flakes.forEach(flake -> out.println("[WARNING]   " + flake));
    }
    out.printf(
        "[%s] Tests run: %d, Failures: %d, Errors: %d, Skipped: %d%s%n",
        failed + errors > 0 ? "ERROR" : flakes.isEmpty() ? "INFO" : "WARNING",
        tests,
        failed,
        errors,
        skipped,
        flakes.isEmpty() ? "" : ", Flakes: " + flakes.size());
    out.printf(
        "[INFO] %d classes in %d s, %d s CPU%n",
        classesDone,
        (System.nanoTime() - startNs) / 1_000_000_000L,
        done.stream().mapToLong(results -> results.cost().ms()).sum() / 1_000);
  }
}
