package dev.parlance.loadtest;

import dev.parlance.loadtest.StartCommand.StartRun.StartedOnce;
import dev.parlance.loadtest.compare.ReportTable.Range;
import dev.parlance.loadtest.load.BodyOptions;
import dev.parlance.loadtest.load.CpuWatch;
import dev.parlance.loadtest.load.ExchangeCorpus;
import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.LoadGenerator;
import dev.parlance.loadtest.load.LoadPlan;
import dev.parlance.loadtest.load.LoadPlan.Pace;
import dev.parlance.loadtest.load.LoadResult;
import dev.parlance.loadtest.load.RequestBytes;
import dev.parlance.loadtest.load.SampleExchange;
import dev.parlance.loadtest.process.ChildProcess;
import dev.parlance.loadtest.process.CorePinning;
import dev.parlance.loadtest.process.MeasuredSidecar;
import dev.parlance.loadtest.process.ProcFs;
import dev.parlance.loadtest.process.ProxyConfigs;
import dev.parlance.loadtest.process.TargetLauncher;
import dev.parlance.loadtest.process.UpstreamProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loadtest start}: how long a sidecar takes, and how its first seconds are. */
@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    description = {
      "Starts a sidecar again and again on one core: time from running the launcher to a listening",
      "port, to the first judged message and to readiness, and the p99 of the first half seconds",
      "under an open loop beside that of the steady state."
    })
final class StartCommand implements Callable<Integer> {
  @Mixin private BodyOptions bodies = new BodyOptions();

  @Option(names = "--runs", description = "Starts (default: ${DEFAULT-VALUE}).")
  private int runs = 7;

  @Option(names = "--rate", description = "Requests per second (default: ${DEFAULT-VALUE}).")
  private double rate = 1000;

  @Option(names = "--slots", description = "Half seconds under load (default: ${DEFAULT-VALUE}).")
  private int slots = 8;

  @Option(
      names = "--settle",
      description = "Seconds of load before the steady state (default: ${DEFAULT-VALUE}).")
  private int settle = 20;

  @Option(
      names = "--steady",
      description = "Seconds of the steady state, 0 for none (default: ${DEFAULT-VALUE}).")
  private int steady = 5;

  @Option(
      names = "--parlance",
      paramLabel = "COMMAND",
      description = "Starts the sidecar; {config} stands for its file. Default: this project's.")
  private String command =
      System.getProperty("parlance.root", ".") + "/bin/parlance proxy --config {config}";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    LoadPlan.check("runs", runs, 1, 1000);
    LoadPlan.check("slots", slots, 0, 1000);
    LoadPlan.check("seconds to settle", settle, 0, 120);
    LoadPlan.check("seconds of the steady state", steady, 0, 600);
    PrintWriter out = spec.commandLine().getOut();
    CorePinning cores = CorePinning.here();
    List<CorpusPlan> plans = bodies.plans();
    List<SampleExchange> exchanges = ExchangeCorpus.build(plans.getFirst());
    if (!cores.pinThisProcess()) {
      spec.commandLine().getErr().println("loadtest: cannot pin the load generator");
    }
    Path folder = Files.createTempDirectory("parlance-start");
    List<StartedOnce> results = new ArrayList<>();
    try (UpstreamProcess upstream = UpstreamProcess.start(folder, cores, plans);
        LoadGenerator generator = new LoadGenerator()) {
      StartRun.Plan plan =
          new StartRun.Plan(command, slots, rate, settle * 1000, steady * 1000, 60_000);
      StartRun run = new StartRun(plan, cores, upstream.port(), exchanges);
      out.printf(Locale.ROOT, "%d starts, %s, open loop at %,.0f/s%n", runs, cores.label(), rate);
      for (int i = 0; i < runs; i++) {
        StartedOnce once = run.run(Files.createDirectories(folder.resolve("run-" + i)), generator);
        results.add(once);
        out.println(line(once));
        out.flush();
      }
    }
    out.print(summary(results));
    out.println("configurations and logs: " + folder);
    out.flush();
    return 0;
  }

  private static String line(StartedOnce once) {
    return String.format(
        Locale.ROOT,
        "listening %.0f ms, first judged %.0f ms, ready %.0f ms (CPU %.0f ms, %.1f MiB);"
            + " p99 of half seconds, us: %s; steady %.0f us",
        once.listeningMs(),
        once.judgedMs(),
        once.readyMs(),
        once.cpuMs(),
        once.residentMb(),
        once.slots().stream().map(us -> String.format(Locale.ROOT, "%.0f", us)).toList(),
        once.steadyP99Us());
  }

  /** Medians with their spread. */
  static String summary(List<StartedOnce> results) {
    StringBuilder text = new StringBuilder();
    row(text, "listening, ms", results, StartedOnce::listeningMs);
    row(text, "first judged message, ms", results, StartedOnce::judgedMs);
    row(text, "ready, ms", results, StartedOnce::readyMs);
    row(text, "CPU until ready, ms", results, StartedOnce::cpuMs);
    row(text, "resident when ready, MiB", results, StartedOnce::residentMb);
    if (results.stream().allMatch(once -> once.steadyP99Us() > 0 && !once.slots().isEmpty())) {
      row(text, "p99 of the first second / steady", results, StartedOnce::firstSecondRatio);
    }
    return text.toString();
  }

  private static void row(
      StringBuilder text,
      String name,
      List<StartedOnce> results,
      ToDoubleFunction<StartedOnce> value) {
    Range range =
        Range.of(results.stream().mapToDouble(value).boxed().toList())
            .orElseThrow(() -> new IllegalArgumentException("expected at least one start"));
    text.append(
        String.format(
            Locale.ROOT,
            "%-34s median %8.1f  [%.1f - %.1f]%n",
            name,
            range.median(),
            range.min(),
            range.max()));
  }

  /** Starts a sidecar once and watches it from the launcher's first instruction on. */
  static final class StartRun {
    private static final double NS_PER_MS = 1e6;
    private static final long POLL_MS = 1;
    private static final int ANSWER_MS = 30_000;
    private static final int CONNECTIONS = 16;
    private static final int SLOT_MS = 500;

    /**
     * How to start and what to do then.
     *
     * @param command starts the sidecar; {@code {config}} stands for the configuration's path
     * @param slots half seconds under load from readiness on
     * @param rate requests per second in them
     * @param settleMs load between them and the steady state
     * @param steadyMs window of the steady state; 0 leaves it out
     * @param timeoutMs longest wait for readiness
     */
    record Plan(
        String command, int slots, double rate, int settleMs, int steadyMs, int timeoutMs) {}

    private final Plan plan;
    private final CorePinning cores;
    private final int upstreamPort;
    private final List<SampleExchange> exchanges;

    StartRun(Plan plan, CorePinning cores, int upstreamPort, List<SampleExchange> exchanges) {
      this.plan = plan;
      this.cores = cores;
      this.upstreamPort = upstreamPort;
      this.exchanges = List.copyOf(exchanges);
    }

    /** One start in a folder of its own. */
    StartedOnce run(Path folder, LoadGenerator generator) throws IOException, InterruptedException {
      int port = TargetLauncher.freePort();
      Path ports = MeasuredSidecar.portsFile(folder);
      String config =
          ProxyConfigs.parlance("enforce", upstreamPort, folder)
              .replace("listen: 127.0.0.1:0\n  agent", "listen: 127.0.0.1:" + port + "\n  agent");
      Path file = Files.writeString(folder.resolve("parlance.yaml"), config);
      List<String> words = MeasuredSidecar.words(plan.command(), file);
      long began = System.nanoTime();
      ChildProcess child =
          ChildProcess.start(
              CorePinning.on(cores.proxy(), words), folder, folder.resolve("output.log"));
      try (child) {
        double listening;
        double judged;
        try (Socket socket = connect(port, child, began)) {
          listening = since(began);
          ask(socket, port);
          judged = since(began);
        }
        while (!Files.exists(ports)) {
          check(child, began);
          Thread.sleep(POLL_MS);
        }
        double ready = since(began);
        double cpuMs = ProcFs.cpuUs(child.pid()).orElse(0) / 1e3;
        double residentMb = ProcFs.residentKb(child.pid()).orElse(0) / 1024.0;
        List<Double> slots = new ArrayList<>();
        for (int i = 0; i < plan.slots(); i++) {
          slots.add(p99(generator, port, 0, SLOT_MS));
        }
        double steady =
            plan.steadyMs() > 0 ? p99(generator, port, plan.settleMs(), plan.steadyMs()) : 0;
        return new StartedOnce(listening, judged, ready, cpuMs, residentMb, slots, steady);
      }
    }

    private double p99(LoadGenerator generator, int port, int warmUpMs, int ms)
        throws IOException, InterruptedException {
      LoadPlan load =
          new LoadPlan(
              port,
              "/a2a/0",
              new Pace.OpenLoop(plan.rate()),
              CONNECTIONS,
              warmUpMs,
              ms,
              LoadPlan.MAX_REQUESTS,
              ANSWER_MS);
      LoadResult result = generator.run(load, exchanges, CpuWatch.none());
      if (result.faults() > 0) {
        throw new IOException(result.faults() + " faults under load");
      }
      return result.latency().p99Us();
    }

    private static double since(long began) {
      return (System.nanoTime() - began) / NS_PER_MS;
    }

    private void check(ChildProcess child, long began) throws IOException {
      if (!child.isAlive()) {
        throw new IOException("the sidecar ended; its last words:\n" + child.tail());
      }
      if (since(began) > plan.timeoutMs()) {
        throw new IOException(
            "the sidecar was not ready in time; its last words:\n" + child.tail());
      }
    }

    private Socket connect(int port, ChildProcess child, long began)
        throws IOException, InterruptedException {
      while (true) {
        check(child, began);
        Socket socket = new Socket();
        try {
          socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
          return socket;
        } catch (IOException e) {
          socket.close(); // nobody listens yet
          Thread.sleep(POLL_MS);
        }
      }
    }

    /** A request on a bare socket; its answer has to say what the gate made of it. */
    private void ask(Socket socket, int port) throws IOException {
      byte[] body =
          exchanges
              .getFirst()
              .requestBody(RequestBytes.FIRST_ID)
              .getBytes(StandardCharsets.US_ASCII);
      String head =
          "POST /a2a/0 HTTP/1.1\r\nHost: 127.0.0.1:"
              + port
              + "\r\nContent-Type: application/json\r\nA2A-Version: 1.0\r\nConnection: close\r\n"
              + "Content-Length: "
              + body.length
              + "\r\n\r\n";
      socket.setSoTimeout(ANSWER_MS);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(body);
      String answer;
      try (InputStream in = socket.getInputStream()) {
        answer = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      }
      if (!answer.startsWith("HTTP/1.1 200 ")
          || !answer.toLowerCase(Locale.ROOT).contains("\r\nasp-signal:")) {
        throw new IOException(
            "expected a judged answer, got " + answer.lines().findFirst().orElse("nothing"));
      }
    }

    /**
     * What one start of a sidecar showed; times in milliseconds from the moment its launcher was
     * run.
     *
     * @param listeningMs a connection was accepted
     * @param judgedMs a message came back judged
     * @param readyMs it said that it is ready
     * @param cpuMs processor time it had used then
     * @param residentMb its resident memory then, in MiB
     * @param slots p99 of each half second under load, from readiness on, in microseconds
     * @param steadyP99Us the same of the steady state; 0 if it was not measured
     */
    record StartedOnce(
        double listeningMs,
        double judgedMs,
        double readyMs,
        double cpuMs,
        double residentMb,
        List<Double> slots,
        double steadyP99Us) {
      StartedOnce {
        slots = List.copyOf(slots);
      }

      /** The worse half of the first second, as a multiple of the steady state; 0 if unknown. */
      double firstSecondRatio() {
        double worst = slots.stream().limit(2).mapToDouble(Double::doubleValue).max().orElse(0);
        return steadyP99Us > 0 ? worst / steadyP99Us : 0;
      }
    }
  }
}
