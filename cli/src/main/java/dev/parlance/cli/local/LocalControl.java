package dev.parlance.cli.local;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.core.PlanFile;
import dev.parlance.client.ControlClient;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.main.ControlMain;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.GetAuditRequest;
import dev.parlance.proto.v1.ListSidecarsRequest;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.PutPlanRequest;
import dev.parlance.proto.v1.Sidecar;
import dev.parlance.proto.v1.StartAuditRequest;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.config.Listen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A control plane in this process, for agents that {@code parlance run} starts. */
record LocalControl(ControlReplica plane, Path folder) implements AutoCloseable {
  private static final long POLL_MS = 200;
  private static final Listen ANY_PORT = new Listen("127.0.0.1", 0);

  /** Starts one on free ports that keeps everything in the folder. */
  static LocalControl start(Path folder) throws IOException {
    var options =
        new ControlMain.Options(
            Optional.empty(),
            Optional.of(dataDir(folder)),
            Optional.of(ANY_PORT),
            Optional.of(ANY_PORT));
    return switch (ControlMain.config(options)) {
      case ConfigResult.Refused<ControlConfig> refused ->
          throw CommandProblem.failed("run: " + refused.problems().getFirst());
      case ConfigResult.Loaded(ControlConfig config) ->
          new LocalControl(ControlReplica.start(config), folder);
    };
  }

  /** Where tools find the one of a run in this folder. */
  static Path dataDir(Path folder) {
    return folder.resolve("control");
  }

  /** The section {@code control} of the sidecar of an agent, which may call the others. */
  String section(AgentSpec agent, List<SidecarSetup> others) throws IOException {
    StringBuilder peers = new StringBuilder();
    for (SidecarSetup other : others) {
      peers.append(
          "    - { agent: %s, hosts: [\"127.0.0.1:%d\"] }\n"
              .formatted(other.agent().name(), other.callers()));
    }
    Path token = folder.resolve(agent.name() + ".token");
    Path keys = folder.resolve("core.keys");
    Files.writeString(token, plane.attachToken(agent.name()) + "\n");
    Files.writeString(keys, plane.coreKey().format() + "\n");
    return """
    control:
      target: "%s"
      agent: %s
      keysFile: %s
      tokenFile: %s
      localAgent: { url: %s }
      peers:%s
    """
        .formatted(
            plane.grpcAddress(),
            agent.name(),
            SidecarSetup.quoted(keys.toString()),
            SidecarSetup.quoted(token.toString()),
            SidecarSetup.quoted("http://" + agent.address() + agent.a2a()),
            peers.isEmpty() ? " []" : "\n" + peers.toString().stripTrailing());
  }

  /** Certifies what a plan says once all of its agents are attached, and says what came of it. */
  void certify(Plan plan, Consumer<String> say) throws IOException, InterruptedException {
    try (ControlClient client =
        new ControlClient(
            ControlClient.Address.plain(plane.grpcAddress().toString(), plane.operatorToken()))) {
      while (!attached(client).containsAll(plan.getCore().getAgentsList())) {
        Thread.sleep(POLL_MS);
      }
      var put = PutPlanRequest.newBuilder().setPlan(plan).build();
      Plan stored = client.certification().ask(stub -> stub.putPlan(put));
      var start =
          StartAuditRequest.newBuilder()
              .setPlan(stored.getName())
              .setKind(AuditKind.AUDIT_KIND_CERTIFY)
              .build();
      String id = client.certification().ask(stub -> stub.startAudit(start)).getId();
      Audit ended =
          client
              .certification()
              .follow(
                  "audit",
                  (stub, _) -> stub.watchAudit(GetAuditRequest.newBuilder().setId(id).build()),
                  audit -> hasEnded(audit.getState()));
      say.accept(result(plan, ended));
    }
  }

  private static boolean hasEnded(AuditState state) {
    return state == AuditState.AUDIT_STATE_COMPLETED || state == AuditState.AUDIT_STATE_ABANDONED;
  }

  private static String result(Plan plan, Audit audit) {
    String core =
        String.join("+", plan.getCore().getAgentsList()) + "/" + plan.getCore().getDomain();
    return audit.getState() == AuditState.AUDIT_STATE_ABANDONED
        ? "core %s: the audit was abandoned: %s".formatted(core, audit.getFailure())
        : "core %s version %d: %s"
            .formatted(
                core,
                audit.getCoreVersion(),
                audit.getResultsList().stream()
                    .map(one -> one.getTerm() + " " + one.getOutcome())
                    .collect(Collectors.joining(", ")));
  }

  private static List<String> attached(ControlClient client) throws IOException {
    var request = ListSidecarsRequest.getDefaultInstance();
    return client.certification().ask(stub -> stub.listSidecars(request)).getSidecarsList().stream()
        .filter(Sidecar::getAttached)
        .map(Sidecar::getAgent)
        .toList();
  }

  /** A plan, or what is wrong with it. */
  static Plan plan(Path file) throws IOException {
    try {
      return PlanFile.read(file);
    } catch (PlanFile.Refused refused) {
      throw CommandProblem.failed("run: " + file + ": " + refused.problems().getFirst());
    }
  }

  @Override
  public void close() {
    plane.close();
  }
}
