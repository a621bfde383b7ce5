package dev.parlance.demo;

import dev.parlance.demo.ControlProcess.Attachment;
import dev.parlance.demo.agent.AgentCaller;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The processes of a demonstration and the connections to them. Closing it ends all of them, those
 * as well that are still starting.
 */
final class DemoStage implements AutoCloseable {
  private static final long ANSWER_TIMEOUT_MS = 60_000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long POLL_MS = 20;
  private static final long LOOK_AGAIN_MS = 200;

  private final DemoOptions options;
  private final List<DemoProcess> children = new ArrayList<>();
  private final List<Runnable> closings = new ArrayList<>();
  private Optional<ControlProcess> control = Optional.empty();
  private Optional<Operator> operator = Optional.empty();

  DemoStage(DemoOptions options) {
    this.options = options;
  }

  DemoOptions options() {
    return options;
  }

  private Path workDir() throws IOException {
    return Files.createDirectories(options.workDir());
  }

  // ---- starting ----

  DemoProcess.Starting<ControlProcess> startControl() throws IOException {
    return startControl("");
  }

  DemoProcess.Starting<ControlProcess> startControl(String sections) throws IOException {
    return added(ControlProcess.start(options.controlCommand(), workDir(), sections));
  }

  /** Waits for the control plane; from then on there is a client of it. */
  void ready(DemoProcess.Starting<ControlProcess> starting)
      throws IOException, InterruptedException {
    ControlProcess ready = starting.ready();
    control = Optional.of(ready);
    operator = Optional.of(keep(new Operator(ready), Operator::close));
  }

  DemoProcess.Starting<AgentProcess> startAgent(String name, List<String> arguments)
      throws IOException {
    return added(AgentProcess.start(name, arguments, workDir()));
  }

  DemoProcess.Starting<DemoSidecar> startSidecar(DemoSidecar.DemoSidecarConfig config)
      throws IOException {
    return added(DemoSidecar.start(config, options.sidecarCommand(), workDir()));
  }

  private <T> DemoProcess.Starting<T> added(DemoProcess.Starting<T> starting) {
    children.add(starting.child());
    return starting;
  }

  /** What the sidecar of an agent needs to attach; empty without a control plane. */
  Optional<Attachment> attachment(String agent, String peer, String agentUrl) throws IOException {
    return control.isPresent()
        ? Optional.of(control.get().attachment(agent, peer, agentUrl, workDir()))
        : Optional.empty();
  }

  /** A client of the agent whose card is at {@code url}; closed with the stage. */
  AgentCaller caller(String url, String path, String name)
      throws IOException, InterruptedException {
    return keep(
        found(name, () -> AgentCaller.find(url, path, ANSWER_TIMEOUT_MS)), AgentCaller::close);
  }

  /** The same through an HTTP proxy; the caller closes it. */
  static AgentCaller callerThrough(InetSocketAddress proxy, String url, String name)
      throws IOException, InterruptedException {
    return callerThrough(proxy, url, "", name);
  }

  static AgentCaller callerThrough(InetSocketAddress proxy, String url, String path, String name)
      throws IOException, InterruptedException {
    return found(name, () -> AgentCaller.findThrough(proxy, url, path, ANSWER_TIMEOUT_MS));
  }

  /** Processes that start at once may be slow to answer at first, so it asks again. */
  private static AgentCaller found(String name, Supplier<AgentCaller.Lookup> lookup)
      throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      switch (lookup.get()) {
        case AgentCaller.Lookup.Found(AgentCaller caller) -> {
          return caller;
        }
        case AgentCaller.Lookup.Missing(String why) -> {
          if (System.nanoTime() - deadlineNs > 0) {
            throw new IOException("no agent card of " + name + ": " + why);
          }
          Thread.sleep(LOOK_AGAIN_MS);
        }
      }
    }
  }

  /** Waits until a sidecar of each of these agents is attached to the control plane. */
  void awaitAttached(Collection<String> agents) throws IOException, InterruptedException {
    if (!until(() -> operator().attachedAgents(), now -> now.containsAll(agents))
        .containsAll(agents)) {
      throw new IOException("the sidecars did not attach to the control plane in time");
    }
  }

  /** Asks something whose answer changes. */
  @FunctionalInterface
  interface Asking<T> {
    T now() throws IOException, InterruptedException;
  }

  /** Asks until the answer is the one that is waited for or the time is over: the last answer. */
  static <T> T until(Asking<T> asking, Predicate<T> awaited)
      throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    T now = asking.now();
    while (!awaited.test(now) && System.nanoTime() - deadlineNs < 0) {
      Thread.sleep(POLL_MS);
      now = asking.now();
    }
    return now;
  }

  // ---- what is there ----

  ControlProcess control() {
    return control.orElseThrow();
  }

  Operator operator() {
    return operator.orElseThrow();
  }

  boolean hasControl() {
    return control.isPresent();
  }

  List<DemoProcess> children() {
    return List.copyOf(children);
  }

  /** Has something closed with the stage, in the reverse order. */
  <T> T keep(T thing, Consumer<T> close) {
    closings.add(() -> close.accept(thing));
    return thing;
  }

  /** Ends every process, all at once and for a bounded time. */
  @Override
  public void close() {
    closings.reversed().forEach(Runnable::run);
    closings.clear();
    children.forEach(DemoProcess::askToStop);
    children.forEach(DemoProcess::close);
  }
}
