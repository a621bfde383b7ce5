package dev.parlance.cli.core;

import dev.parlance.cli.ControlPlaneCommand;
import dev.parlance.cli.ListCommand;
import dev.parlance.cli.TimeText;
import dev.parlance.client.ControlClient;
import dev.parlance.proto.v1.ListPlansRequest;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.VocabularyTerm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Puts and lists plans: what is to be certified, between whom, and how strictly. */
@Command(
    name = "plan",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {PlanCommand.Put.class, PlanCommand.ListPlans.class})
final class PlanCommand {
  @Command(name = "put")
  static final class Put extends ControlPlaneCommand<CoreCalls.StoredPlan> {
    @Parameters(paramLabel = "FILE", description = "the plan (YAML or JSON)")
    Path file = Path.of("");

    private Plan draft = Plan.getDefaultInstance();

    @Override
    public Integer call() throws IOException {
      try {
        draft = PlanFile.read(file);
      } catch (PlanFile.Refused refused) {
        refused.problems().forEach(problem -> terminal.note(file + ": " + problem));
        int count = refused.problems().size();
        return terminal.fail(
            "core plan put: %s %s; nothing was sent", count, count == 1 ? "problem" : "problems");
      }
      return super.call();
    }

    @Override
    protected CoreCalls.StoredPlan ask(ControlClient client) throws IOException {
      return CoreCalls.putPlan(client, draft);
    }

    @Override
    protected void text(CoreCalls.StoredPlan stored) {
      terminal.line(
          "%s: revision %s%s%s terms, %s events, %s",
          stored.name(),
          stored.revision(),
          stored.changed() ? " is stored: " : " says the same already: ",
          draft.getTermsCount(),
          draft.getEventsCount(),
          CoreName.of(draft.getCore()));
    }
  }

  @Command(name = "list")
  static final class ListPlans extends ListCommand<Plan> {
    /**
     * A plan without its events, for programs.
     *
     * @param terms the vocabulary as it was written
     * @param intervalMs mean time between scheduled audits, 0: only on request
     */
    record PlanView(
        String name,
        long revision,
        List<String> agents,
        String domain,
        List<String> terms,
        double tau,
        double delta,
        double rhoMin,
        String bound,
        String multiplicity,
        int eventsPerTerm,
        long intervalMs,
        double jitter,
        int pauseMs) {
      static PlanView of(Plan plan) {
        return new PlanView(
            plan.getName(),
            plan.getRevision(),
            plan.getCore().getAgentsList(),
            plan.getCore().getDomain(),
            plan.getTermsList().stream().map(VocabularyTerm::getText).toList(),
            plan.getParams().getTau(),
            plan.getParams().getDelta(),
            plan.getParams().getRhoMin(),
            ListPlans.bound(plan),
            plan.getMultiplicity().isEmpty() ? "per_term" : plan.getMultiplicity(),
            plan.getEventsPerTerm(),
            plan.getSchedule().getIntervalMs(),
            plan.getSchedule().getJitter(),
            plan.getPauseMs());
      }
    }

    ListPlans() {
      super(
          "plan, >revision, core, >terms, >tau, >delta, bound, every",
          "no plans (parlance core plan put FILE makes one)");
    }

    @Override
    protected List<Plan> ask(ControlClient client) throws IOException {
      return client
          .certification()
          .ask(stub -> stub.listPlans(ListPlansRequest.getDefaultInstance()).getPlansList());
    }

    @Override
    protected Object json(List<Plan> plans) {
      return plans.stream().map(PlanView::of).toList();
    }

    @Override
    protected Object[] row(Plan plan) {
      long intervalMs = plan.getSchedule().getIntervalMs();
      return new Object[] {
        plan.getName(),
        plan.getRevision(),
        CoreName.of(plan.getCore()),
        plan.getTermsCount(),
        plan.getParams().getTau(),
        plan.getParams().getDelta(),
        bound(plan),
        intervalMs == 0 ? "" : TimeText.of(intervalMs)
      };
    }

    private static String bound(Plan plan) {
      return plan.getParams().getBound().isEmpty() ? "exact" : plan.getParams().getBound();
    }
  }
}
