package dev.parlance.loadtest;

import dev.parlance.loadtest.load.CpuWatch;
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
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Starts a sidecar once and watches it from the launcher's first instruction on. */
final class StartRun {
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
  record Plan(String command, int slots, double rate, int settleMs, int steadyMs, int timeoutMs) {}

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
        ProxyConfigs.parlance("enforce", upstreamPort, folder, ports)
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
      throw new IOException("the sidecar was not ready in time; its last words:\n" + child.tail());
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
        exchanges.getFirst().requestBody(RequestBytes.FIRST_ID).getBytes(StandardCharsets.US_ASCII);
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
   * What one start of a sidecar showed; times in milliseconds from the moment its launcher was run.
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
