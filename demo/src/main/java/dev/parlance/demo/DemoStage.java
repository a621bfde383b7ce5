package dev.parlance.demo;

import dev.parlance.demo.ControlProcess.Attachment;
import dev.parlance.demo.DemoOptions.Streaming;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Extensions;
import dev.parlance.demo.agent.Receipt;
import dev.parlance.demo.agent.ReceivedVerdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that runs: a scholar and an officer with a sidecar beside each, a second pair that
 * talks directly, for comparison, and for the second act a control plane.
 */
final class DemoStage implements AutoCloseable {
  private static final long ANSWER_TIMEOUT_MS = 60_000;

  private final List<DemoProcess> children = new ArrayList<>();
  private Optional<Pair> direct = Optional.empty();
  private Optional<Gated> gated = Optional.empty();
  private Optional<ControlProcess> control = Optional.empty();
  private Optional<Orders> orders = Optional.empty();

  /**
   * The two agents of one arrangement.
   *
   * @param scholar agent A
   * @param officer agent B
   * @param toOfficer sends orders to B
   */
  record Pair(AgentProcess scholar, AgentProcess officer, AgentCaller toOfficer) {}

  /**
   * Agents with a sidecar beside each.
   *
   * @param agents the agents
   * @param scholarSidecar beside A
   * @param officerSidecar beside B
   * @param admin the operator's side of A's sidecar, which judges A's answers
   * @param officerAdmin the operator's side of B's sidecar
   */
  record Gated(
      Pair agents,
      SidecarProcess scholarSidecar,
      SidecarProcess officerSidecar,
      SidecarAdmin admin,
      SidecarAdmin officerAdmin) {}

  /**
   * Ways to give orders, through the receiver's sidecar.
   *
   * @param toScholar to A
   * @param toOfficer to B
   */
  record Orders(AgentCaller toScholar, AgentCaller toOfficer) {}

  /** Starts all processes and waits until they are ready; on failure nothing is left running. */
  static DemoStage open(DemoOptions options) throws IOException, InterruptedException {
    DemoStage stage = new DemoStage();
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
    List<String> asScholar = as("scholar", options, "--license", options.licence().toString());
    List<String> asOfficer = as("officer", options);
    Optional<ControlProcess.Starting> controlStarting = Optional.empty();
    if (!options.controlCommand().isEmpty()) {
      ControlProcess.Starting starting = ControlProcess.start(options.controlCommand(), workDir);
      children.add(starting.child());
      controlStarting = Optional.of(starting);
    }
    AgentProcess.Starting scholarStarting = agent("scholar", asScholar, workDir);
    AgentProcess.Starting officerStarting = agent("officer", asOfficer, workDir);
    AgentProcess scholar = scholarStarting.ready();
    AgentProcess officer = officerStarting.ready();
    if (controlStarting.isPresent()) {
      control = Optional.of(controlStarting.get().ready());
    }
    SidecarProcess.Starting besideScholar =
        sidecar(
            "scholar-sidecar",
            scholar,
            SidecarProcess.Sides.INBOUND,
            options.streaming(),
            attachment(LicensePlan.SCHOLAR, LicensePlan.OFFICER, scholar, workDir),
            options,
            workDir);
    SidecarProcess.Starting besideOfficer =
        sidecar(
            "officer-sidecar",
            officer,
            SidecarProcess.Sides.INBOUND_AND_OUTBOUND,
            Streaming.OFF,
            attachment(LicensePlan.OFFICER, LicensePlan.SCHOLAR, officer, workDir),
            options,
            workDir);
    // The direct pair starts while the sidecars do.
    AgentProcess.Starting directScholar = agent("direct-scholar", asScholar, workDir);
    AgentProcess.Starting directOfficer = agent("direct-officer", asOfficer, workDir);
    direct = Optional.of(directPair(directScholar.ready(), directOfficer.ready()));
    gated = Optional.of(gatedPair(scholar, officer, besideScholar.ready(), besideOfficer.ready()));
    if (control.isPresent()) {
      orders =
          Optional.of(
              new Orders(
                  caller(gated().scholarSidecar().inboundUrl(), Attachment.ORDERS_PATH, "scholar"),
                  caller(
                      gated().officerSidecar().inboundUrl(), Attachment.ORDERS_PATH, "officer")));
    }
  }

  private Optional<Attachment> attachment(
      String agent, String peer, AgentProcess process, Path workDir) throws IOException {
    return control.isPresent()
        ? Optional.of(control.get().attachment(agent, peer, process.url(), workDir))
        : Optional.empty();
  }

  private static List<String> as(String who, DemoOptions options, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                who,
                "--binding",
                options.binding().code(),
                "--delivery",
                options.streaming().delivery().code()));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private static Pair directPair(AgentProcess scholar, AgentProcess officer) throws IOException {
    scholar.begin();
    officer.begin("ask=" + scholar.url());
    return new Pair(scholar, officer, caller(officer.url(), "direct-officer"));
  }

  private static Gated gatedPair(
      AgentProcess scholar,
      AgentProcess officer,
      SidecarProcess scholarSidecar,
      SidecarProcess officerSidecar)
      throws IOException {
    // Each agent advertises its sidecar, and all that the officer sends goes through its own.
    scholar.begin("advertise=" + scholarSidecar.inboundUrl());
    officer.begin(
        "advertise=" + officerSidecar.inboundUrl(),
        "proxy=127.0.0.1:" + officerSidecar.outbound(),
        "differs=contribution,trademark use",
        "ask=" + scholarSidecar.inboundUrl());
    return new Gated(
        new Pair(scholar, officer, caller(officerSidecar.inboundUrl(), "officer")),
        scholarSidecar,
        officerSidecar,
        new SidecarAdmin(scholarSidecar),
        new SidecarAdmin(officerSidecar));
  }

  private AgentProcess.Starting agent(String name, List<String> arguments, Path workDir)
      throws IOException {
    AgentProcess.Starting starting = AgentProcess.start(name, arguments, workDir);
    children.add(starting.child());
    return starting;
  }

  private SidecarProcess.Starting sidecar(
      String name,
      AgentProcess agent,
      SidecarProcess.Sides sides,
      Streaming streaming,
      Optional<Attachment> attachment,
      DemoOptions options,
      Path workDir)
      throws IOException {
    SidecarProcess.Starting starting =
        SidecarProcess.start(
            name, agent, sides, streaming, attachment, options.sidecarCommand(), workDir);
    children.add(starting.child());
    return starting;
  }

  private static AgentCaller caller(String url, String name) throws IOException {
    return caller(url, "", name);
  }

  private static AgentCaller caller(String url, String path, String name) throws IOException {
    return switch (AgentCaller.find(url, path, ANSWER_TIMEOUT_MS)) {
      case AgentCaller.Lookup.Found(AgentCaller caller) -> caller;
      case AgentCaller.Lookup.Missing(String why) ->
          throw new IOException("no agent card of " + name + " at " + url + ": " + why);
    };
  }

  Pair direct() {
    return direct.orElseThrow();
  }

  Gated gated() {
    return gated.orElseThrow();
  }

  /** The control plane, if there is one. */
  Optional<ControlProcess> control() {
    return control;
  }

  Orders orders() {
    return orders.orElseThrow();
  }

  List<DemoProcess> children() {
    return List.copyOf(children);
  }

  /** Has B ask A, and returns what B received and decided. */
  static Receipt ask(Pair pair, String question, String conversation) {
    AgentReply reply = pair.toOfficer().send("ask: " + question, conversation);
    return switch (reply) {
      case AgentReply.Answered answered ->
          answered.metadata().get(Extensions.RECEIPT) instanceof Map<?, ?> members
              ? Receipt.fromMap(members).orElseGet(() -> lost(question, "unreadable receipt"))
              : lost(question, "B answered without a receipt: " + answered.text());
      case AgentReply.Withheld withheld ->
          lost(question, "B's answer was withheld: " + withheld.taskState());
      case AgentReply.Failed failed -> lost(question, "B did not answer: " + failed.why());
    };
  }

  private static Receipt lost(String question, String why) {
    return new Receipt(question, why, "error", false, ReceivedVerdict.NONE, "NO DECISION: " + why);
  }

  /** Ends every process, all at once and for a bounded time. */
  @Override
  public void close() {
    direct.ifPresent(pair -> pair.toOfficer().close());
    gated.ifPresent(pairs -> {
      pairs.agents().toOfficer().close();
      pairs.admin().close();
      pairs.officerAdmin().close();
    });
    orders.ifPresent(callers -> {
      callers.toScholar().close();
      callers.toOfficer().close();
    });
    children.forEach(DemoProcess::askToStop);
    children.forEach(DemoProcess::close);
  }
}
