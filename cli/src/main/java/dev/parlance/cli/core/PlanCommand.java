package dev.parlance.cli.core;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.cli.api.CoreName;
import dev.parlance.proto.v1.GetPlanRequest;
import dev.parlance.proto.v1.ListPlansRequest;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.PutPlanRequest;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Puts and lists plans: what is to be certified, between whom, and how strictly. */
@Command(
    name = "plan",
    synopsisSubcommandLabel = "COMMAND",
    description = "Puts and lists plans: what is to be certified, between whom, how strictly.",
    footer = {"", "Example:", "  parlance core plan put license.yaml"})
final class PlanCommand implements Runnable {
  private final CommandLine self;

  private PlanCommand() {
    this.self = new CommandLine(this);
  }

  /** The command with its subcommands. */
  static CommandLine commandLine(Terminal terminal) {
    CommandLine plan = new PlanCommand().self;
    plan.addSubcommand(new Put(terminal));
    plan.addSubcommand(new ListPlans(terminal));
    return plan;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(self, "a command is missing: put or list");
  }

  /** What came of putting a plan. */
  private record Stored(Plan plan, boolean changed) {}

  @Command(
      name = "put",
      description = {
        "Creates a plan or changes it; every problem of the file is listed.",
        "",
        "The file is YAML or JSON with name, core {agents, domain}, terms (texts, or",
        "objects with text, alternative, gloss), events (objects with pei and text) or",
        "eventsFile (CSV with the columns pei and text, or JSON Lines with these",
        "members), and optionally params {tau, delta, rhoMin, bound}, multiplicity,",
        "eventsPerTerm, schedule {intervalMs, jitter}, pauseMs, revision. With a",
        "revision it is stored only if that is the present one."
      },
      footer = {"", "Example:", "  parlance core plan put license.yaml"})
  private static final class Put extends ControlPlaneCommand<Stored> {
    @Parameters(paramLabel = "FILE", description = "the plan (YAML or JSON)")
    Path file = Path.of("");

    private Plan plan = Plan.getDefaultInstance();

    Put(Terminal terminal) {
      super(terminal);
    }

    @Override
    public Integer call() throws IOException {
      return switch (PlanFile.read(file)) {
        case PlanFile.Read.Unusable(String message) ->
            terminal.complain(ExitStatus.USAGE, "core plan put: " + message);
        case PlanFile.Read.Refused(List<String> problems) -> {
          problems.forEach(
              problem -> terminal.err().println(TerminalEscaper.line(file + ": " + problem)));
          yield terminal.complain(
              ExitStatus.FAILED,
              "core plan put: "
                  + problems.size()
                  + (problems.size() == 1 ? " problem" : " problems")
                  + "; nothing was sent");
        }
        case PlanFile.Read.Usable(Plan read) -> {
          plan = read;
          yield super.call();
        }
      };
    }

    @Override
    protected ControlReply<Stored> ask(ControlClient client) {
      ControlReply<Plan> present =
          client.ask(
              stub -> stub.getPlan(GetPlanRequest.newBuilder().setName(plan.getName()).build()));
      return switch (present) {
        case ControlReply.Failed<Plan>(Status.Code code, String message)
            when code != Status.Code.NOT_FOUND ->
            new ControlReply.Failed<>(code, message);
        case ControlReply.Failed<Plan> _ -> put(client, plan);
        case ControlReply.Answered<Plan>(Plan old) -> {
          long expected = plan.getRevision() == 0 ? old.getRevision() : plan.getRevision();
          Plan wanted = plan.toBuilder().setRevision(expected).build();
          yield wanted.equals(old)
              ? new ControlReply.Answered<>(new Stored(old, false))
              : put(client, wanted);
        }
      };
    }

    private static ControlReply<Stored> put(ControlClient client, Plan plan) {
      return client.ask(stub ->
          new Stored(stub.putPlan(PutPlanRequest.newBuilder().setPlan(plan).build()), true));
    }

    @Override
    protected int print(Stored stored) {
      Plan put = stored.plan();
      switch (output.format) {
        case TEXT ->
            terminal
                .out()
                .println(
                    TerminalEscaper.line(
                        put.getName()
                            + ": revision "
                            + put.getRevision()
                            + (stored.changed() ? " is stored: " : " says the same already: ")
                            + plan.getTermsCount()
                            + " terms, "
                            + plan.getEventsCount()
                            + " events, "
                            + CoreName.of(put.getCore())));
        case JSON ->
            terminal
                .out()
                .println(
                    Json.pretty(
                        Map.of(
                            "name",
                            put.getName(),
                            "revision",
                            put.getRevision(),
                            "changed",
                            stored.changed())));
      }
      return ExitStatus.OK;
    }
  }

  @Command(
      name = "list",
      description = "Lists plans, by name.",
      footer = {"", "Example:", "  parlance core plan list -o json"})
  private static final class ListPlans extends ControlPlaneCommand<List<Plan>> {
    ListPlans(Terminal terminal) {
      super(terminal);
    }

    @Override
    protected ControlReply<List<Plan>> ask(ControlClient client) {
      return client.ask(
          stub -> stub.listPlans(ListPlansRequest.getDefaultInstance()).getPlansList());
    }

    @Override
    protected int print(List<Plan> plans) {
      switch (output.format) {
        case JSON -> terminal.out().println(Json.pretty(plans.stream().map(PlanView::of).toList()));
        case TEXT -> {
          if (plans.isEmpty()) {
            terminal.out().println("no plans (parlance core plan put FILE makes one)");
          } else {
            print(plans.stream().map(PlanView::of).toList(), terminal);
          }
        }
      }
      return ExitStatus.OK;
    }

    private static void print(List<PlanView> plans, Terminal terminal) {
      var table =
          new TextTable(
              "", "plan", ">revision", "core", ">terms", ">tau", ">delta", "bound", "every");
      for (PlanView plan : plans) {
        table.add(
            TextTable.Cell.of(plan.name()),
            TextTable.Cell.of(plan.revision()),
            TextTable.Cell.of(String.join("+", plan.agents()) + "/" + plan.domain()),
            TextTable.Cell.of(plan.terms().size()),
            TextTable.Cell.of(Double.toString(plan.tau())),
            TextTable.Cell.of(Double.toString(plan.delta())),
            TextTable.Cell.of(plan.bound()),
            TextTable.Cell.of(plan.intervalMs() == 0 ? "" : TimeText.of(plan.intervalMs())));
      }
      table.print(terminal.out());
    }
  }
}
