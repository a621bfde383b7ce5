package dev.parlance.demo;

import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.Juror;
import dev.parlance.demo.agent.Moderator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Everything that a panel needs: a control plane, seven agents with a sidecar process beside each,
 * and a moderator. The agents and the moderator are threads of this process that talk A2A over
 * sockets; seven more processes would show nothing more.
 */
final class RoundStage implements AutoCloseable {
  private static final long ANSWER_TIMEOUT_MS = 60_000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long POLL_MS = 20;
  private static final long LOOK_AGAIN_MS = 200;

  private final List<DemoProcess> children = new ArrayList<>();
  private final List<Runnable> closings = new ArrayList<>();
  private final Map<String, Member> panel = new LinkedHashMap<>();
  private Optional<ControlProcess> control = Optional.empty();
  private Optional<RoundCalls> calls = Optional.empty();
  private Optional<RoundMinds> minds = Optional.empty();

  /**
   * A member of the panel.
   *
   * @param juror the agent
   * @param sidecar beside it
   * @param asked puts questions to it, through its sidecar
   */
  record Member(Juror juror, SidecarProcess sidecar, AgentCaller asked) {}

  /** Starts everything and waits until it is ready; on failure nothing is left running. */
  static RoundStage open(DemoOptions options) throws IOException, InterruptedException {
    RoundStage stage = new RoundStage();
    try {
      stage.start(options);
      return stage;
    } catch (IOException | InterruptedException | RuntimeException e) {
      stage.close();
      throw e;
    }
  }

  private void start(DemoOptions options) throws IOException, InterruptedException {
    Path workDir = Files.createDirectories(options.workDir());
    ControlProcess.Starting controlStarting =
        ControlProcess.start(options.controlCommand(), workDir);
    children.add(controlStarting.child());
    Moderator moderator = keep(Moderator.start(), Moderator::close);
    RoundMinds mind = new RoundMinds(moderator);
    minds = Optional.of(mind);
    List<Juror> jurors = new ArrayList<>();
    for (String agent : RoundScript.panel()) {
      jurors.add(keep(Juror.bind(agent), Juror::close));
    }
    ControlProcess plane = controlStarting.ready();
    control = Optional.of(plane);
    calls = Optional.of(keep(RoundCalls.to(plane), RoundCalls::close));
    List<SidecarProcess.Starting> starting = new ArrayList<>();
    for (Juror juror : jurors) {
      String own = "http://127.0.0.1:" + juror.port() + "/";
      SidecarProcess.Starting one =
          PanelSidecar.start(
              juror.name(),
              juror.port(),
              plane.attachment(juror.name(), "moderator", own, workDir),
              options.sidecarCommand(),
              workDir);
      children.add(one.child());
      starting.add(one);
    }
    for (int i = 0; i < jurors.size(); i++) {
      Juror juror = jurors.get(i);
      SidecarProcess sidecar = starting.get(i).ready();
      InetSocketAddress proxy =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), sidecar.outbound());
      juror.start(
          found(
              "the moderator",
              () -> AgentCaller.findThrough(proxy, moderator.url(), ANSWER_TIMEOUT_MS)),
          sidecar.inboundUrl(),
          mind.of(juror.name()));
      AgentCaller asked = keep(caller(sidecar, "", juror.name()), AgentCaller::close);
      panel.put(juror.name(), new Member(juror, sidecar, asked));
    }
    awaitAttached(plane);
  }

  private <T> T keep(T thing, Consumer<T> close) {
    closings.add(() -> close.accept(thing));
    return thing;
  }

  /** Seven processes that start at once may be slow to answer at first, so it asks again. */
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

  private static AgentCaller caller(SidecarProcess sidecar, String path, String name)
      throws IOException, InterruptedException {
    return found(name, () -> AgentCaller.find(sidecar.inboundUrl(), path, ANSWER_TIMEOUT_MS));
  }

  private static void awaitAttached(ControlProcess plane) throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    try (ControlCalls calls = ControlCalls.to(plane)) {
      while (!calls.attachedAgents().containsAll(RoundScript.panel())) {
        if (System.nanoTime() - deadlineNs > 0) {
          throw new IOException("the sidecars did not attach to the control plane in time");
        }
        Thread.sleep(POLL_MS);
      }
    }
  }

  /** The members of the panel, in its order. */
  List<Member> panel() {
    return List.copyOf(panel.values());
  }

  Member member(String agent) {
    Member member = panel.get(agent);
    if (member == null) {
      throw new IllegalArgumentException("no agent " + agent);
    }
    return member;
  }

  /** Gives orders to an agent, on the route of its sidecar that asks for finality; to be closed. */
  AgentCaller orders(String agent) throws IOException, InterruptedException {
    return caller(member(agent).sidecar(), PanelSidecar.ACT_PATH, agent);
  }

  ControlProcess control() {
    return control.orElseThrow();
  }

  RoundCalls calls() {
    return calls.orElseThrow();
  }

  RoundMinds minds() {
    return minds.orElseThrow();
  }

  List<DemoProcess> children() {
    return List.copyOf(children);
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
