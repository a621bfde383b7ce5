package dev.parlance.loadtest.process;

import dev.parlance.loadtest.load.CpuWatch;
import dev.parlance.loadtest.load.Freshness;
import dev.parlance.loadtest.load.LoadGenerator;
import dev.parlance.loadtest.load.LoadPlan;
import dev.parlance.loadtest.load.LoadPlan.Pace;
import dev.parlance.loadtest.load.LoadPlan.Protocol;
import dev.parlance.loadtest.load.LoadResult.Outcome;
import dev.parlance.loadtest.load.SampleExchange;
import dev.parlance.loadtest.process.TargetKind.Target;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Starts targets, each as a process of its own on the proxy's core, and waits until a real request
 * comes back through it (a bound port says little: a proxy may accept before it can forward).
 *
 * @param folder scratch, for configurations and logs
 * @param largestBodyBytes of all corpora
 * @param generator sends the probes
 * @param exchanges of the upstream's first corpus
 * @param guard where sidecars that guard get their core from
 */
public record TargetLauncher(
    Path folder,
    CorePinning cores,
    int upstreamPort,
    MeasuredSidecar.Commands sidecars,
    int largestBodyBytes,
    LoadGenerator generator,
    List<SampleExchange> exchanges,
    Optional<ProxyConfigs.Guard> guard) {
  /** What is skipped because it is not there can be had so. */
  static final String INSTALL = "apt-get install haproxy nginx-light";

  private static final int ATTEMPTS = 3;
  private static final int POLL_MS = 50;
  private static final int PROBE_MS = 10_000;

  /** Makes a target ready, or says why not. */
  public Launch launch(Target target) throws IOException, InterruptedException {
    Optional<String> speechless = target.kind().cannotSpeak(target.protocol());
    if (speechless.isPresent()) {
      return new Launch.Skipped(target, speechless.get());
    }
    Path own = Files.createDirectories(folder.resolve(target.code()));
    return switch (target.kind()) {
      case DIRECT ->
          new Launch.Ready(
              target, upstreamPort, upstreamPort, List.of(), OptionalInt.empty(), List.of());
      case PARLANCE_ONE ->
          parlance(target, ProxyConfigs.parlance("enforce", upstreamPort, own), own);
      case PARLANCE_TWO, PARLANCE_TRUSTED -> pair(target, MeshPair.in(own));
      case PARLANCE_FORWARD ->
          parlance(target, ProxyConfigs.forwarding(upstreamPort, target.protocol(), own), own);
      case PARLANCE_UNREAD ->
          parlance(target, ProxyConfigs.unread(upstreamPort, target.protocol(), own), own);
      case PARLANCE_OBSERVE ->
          parlance(
              target, ProxyConfigs.judging("observe", upstreamPort, target.protocol(), own), own);
      case PARLANCE_ANSWERS, PARLANCE_ENFORCE, PARLANCE_UNSHOWN ->
          parlance(
              target,
              ProxyConfigs.guarding(
                  upstreamPort, target.protocol(), own, guard.orElseThrow(), target.kind()),
              own);
      case HAPROXY, HAPROXY_LUA, HAPROXY_TWO -> installed(target, "haproxy", own);
      case NGINX -> installed(target, "nginx", own);
    };
  }

  private Launch parlance(Target target, String config, Path own)
      throws IOException, InterruptedException {
    return switch (MeasuredSidecar.start(
        sidecars.of(target.build()),
        cores,
        own,
        config,
        sidecars.timeout(),
        port -> answers(port, port, target.protocol()))) {
      case MeasuredSidecar.Started.Not(String reason) -> new Launch.Failed(target, reason);
      case MeasuredSidecar.Started.Ready(MeasuredSidecar sidecar) -> {
        Launch.Ready ready =
            new Launch.Ready(
                target,
                sidecar.port(),
                sidecar.port(),
                List.of(sidecar.pid()),
                OptionalInt.of(sidecar.admin()),
                List.of(sidecar.child()));
        yield target.kind().isGuarding() ? guarding(ready, sidecar.child()) : ready;
      }
    };
  }

  /** Two sidecars; fails where verdicts are to be believed and none is. */
  private Launch pair(Target target, MeshPair pair) throws IOException, InterruptedException {
    boolean isTrusted = target.kind() == TargetKind.PARLANCE_TRUSTED;
    List<MeasuredSidecar> both = new ArrayList<>();
    String reason = "no verdict was believed";
    for (MeshPair.Side side : List.of(MeshPair.Side.GIVER, MeshPair.Side.ASKER)) {
      MeasuredSidecar.Started started =
          MeasuredSidecar.start(
              sidecars.of(target.build()),
              cores,
              pair.folder(side),
              pair.sidecar(side, upstreamPort, isTrusted),
              sidecars.timeout(),
              port -> both.isEmpty() || answers(port, both.getFirst().port(), target.protocol()));
      switch (started) {
        case MeasuredSidecar.Started.Ready(MeasuredSidecar sidecar) -> both.add(sidecar);
        case MeasuredSidecar.Started.Not(String why) -> reason = why;
      }
    }
    if (both.size() == 2 && (!isTrusted || GuardCount.believed(both.getFirst().admin()) > 0)) {
      return new Launch.Ready(
          target,
          both.getLast().port(),
          both.getFirst().port(),
          both.stream().map(MeasuredSidecar::pid).toList(),
          OptionalInt.of(both.getFirst().admin()),
          both.stream().map(MeasuredSidecar::child).toList());
    }
    both.forEach(MeasuredSidecar::close);
    return new Launch.Failed(target, reason);
  }

  /** Waits until messages are held against the core: it comes a moment after the start. */
  private Launch guarding(Launch.Ready ready, ChildProcess child)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + sidecars.timeout().toNanos();
    while (child.isAlive() && System.nanoTime() < end) {
      GuardCount before = GuardCount.read(ready.admin().orElseThrow());
      if (answers(ready.port(), ready.port(), ready.target().protocol())
          && GuardCount.read(ready.admin().orElseThrow()).since(before).terms() > 0) {
        return ready;
      }
      Thread.sleep(POLL_MS);
    }
    child.close();
    return new Launch.Failed(
        ready.target(), "got no core in time; its last words:\n" + child.tail());
  }

  private Launch installed(Target target, String program, Path own)
      throws IOException, InterruptedException {
    Optional<Path> file = InstalledPrograms.find(program);
    if (file.isEmpty()) {
      return new Launch.Skipped(target, program + " is not installed (" + INSTALL + ")");
    }
    if (target.kind() == TargetKind.HAPROXY_LUA
        && !InstalledPrograms.output(file.get().toString(), "-vv").orElse("").contains("+LUA")) {
      return new Launch.Skipped(target, "this HAProxy was built without Lua");
    }
    Launch last = new Launch.Skipped(target, "not tried");
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = freePort(); // somebody else may take it before the proxy does, hence the attempts
      last = installed(target, file.get(), port, own);
      if (last instanceof Launch.Ready) {
        return last;
      }
    }
    return last;
  }

  private Launch installed(Target target, Path file, int port, Path own)
      throws IOException, InterruptedException {
    Path config = own.resolve("proxy.conf");
    String text =
        switch (target.kind()) {
          case HAPROXY_LUA ->
              ProxyConfigs.haproxyLua(
                  port, upstreamPort, target.protocol(), script(own), largestBodyBytes);
          case NGINX ->
              ProxyConfigs.nginx(
                  port,
                  upstreamPort,
                  own,
                  InstalledPrograms.output(file.toString(), "-V").orElse(""));
          case HAPROXY_TWO ->
              ProxyConfigs.haproxyHead() + MeshPair.in(own).haproxy(port, freePort(), upstreamPort);
          default -> ProxyConfigs.haproxy(port, upstreamPort, target.protocol());
        };
    Files.writeString(config, text);
    List<String> command =
        target.kind() == TargetKind.NGINX
            ? List.of(file.toString(), "-p", own.toString(), "-c", config.toString())
            : List.of(file.toString(), "-db", "-f", config.toString());
    Optional<ChildProcess> started = start(command, own);
    if (started.isEmpty()) {
      return new Launch.Failed(target, "cannot run " + file);
    }
    ChildProcess child = started.get();
    long end =
        System.nanoTime()
            + Math.min(sidecars.timeout().toNanos(), Duration.ofMillis(PROBE_MS).toNanos());
    while (child.isAlive() && System.nanoTime() < end) {
      if (answers(port, port, target.protocol())) {
        // taskset replaces itself by the program, so the child's pid is the proxy's.
        return new Launch.Ready(
            target, port, port, List.of(child.pid()), OptionalInt.empty(), List.of(child));
      }
      Thread.sleep(POLL_MS);
    }
    return failed(target, child);
  }

  /** Puts the script where a proxy can read it. */
  static Path script(Path folder) throws IOException {
    return Files.writeString(folder.resolve("reading.lua"), ProxyConfigs.text("reading.lua"));
  }

  private Optional<ChildProcess> start(List<String> command, Path own) {
    try {
      return Optional.of(
          ChildProcess.start(
              CorePinning.on(cores.proxy(), command), own, own.resolve("output.log")));
    } catch (IOException e) {
      return Optional.empty(); // the caller names the program that cannot run
    }
  }

  private static Launch failed(Target target, ChildProcess child) {
    String what = child.isAlive() ? "did not answer in time" : "ended before it answered";
    child.close();
    return new Launch.Failed(target, what + "; its last words:\n" + child.tail());
  }

  /** True if a real request comes back through this port as it should. */
  private boolean answers(int port, int named, Protocol protocol) throws InterruptedException {
    LoadPlan one =
        new LoadPlan(
            port,
            Freshness.SEEN.path(0),
            new Pace.ClosedLoop(),
            1,
            0,
            PROBE_MS,
            1,
            PROBE_MS,
            protocol);
    try {
      return generator.run(one, named, exchanges, CpuWatch.none()).count(Outcome.ANSWERED) == 1;
    } catch (IOException e) {
      return false; // not there yet
    }
  }

  public static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Closes whatever the launches started. */
  public static void close(List<Launch> launches) {
    List<ChildProcess> children = new ArrayList<>();
    for (Launch launch : launches) {
      if (launch instanceof Launch.Ready ready) {
        children.addAll(ready.children());
      }
    }
    children.forEach(ChildProcess::close);
  }

  /** What came of making a target ready. */
  public sealed interface Launch {
    /** Which target. */
    Target target();

    /**
     * It answers.
     *
     * @param port where load goes, on the loopback address
     * @param named the port that it says it goes to: that of the second of two proxies
     * @param pids of the processes whose processor time counts; none for {@code DIRECT}
     * @param admin the sidecar's admin port; absent for others
     * @param children to close at the end
     */
    record Ready(
        Target target,
        int port,
        int named,
        List<Long> pids,
        OptionalInt admin,
        List<ChildProcess> children)
        implements Launch {
      public Ready {
        pids = List.copyOf(pids);
        children = List.copyOf(children);
      }

      /** Its processor time so far. */
      public OptionalLong cpuUs() {
        return pids.isEmpty()
            ? OptionalLong.empty()
            : ProcFs.cpuUs(pids.stream().mapToLong(Long::longValue).toArray());
      }

      /** Its resident memory, of the larger of two. */
      public OptionalLong residentKb() {
        return pids.stream().flatMapToLong(pid -> ProcFs.residentKb(pid).stream()).max();
      }
    }

    /**
     * Not here, which is all right.
     *
     * @param reason in words
     */
    record Skipped(Target target, String reason) implements Launch {}

    /**
     * It should have started and did not.
     *
     * @param reason in words, with the end of its output
     */
    record Failed(Target target, String reason) implements Launch {}
  }
}
