package dev.parlance.cli.core;

import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.CertificationCalls;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.CoreName;
import dev.parlance.cli.api.PlanFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Puts and lists plans: what is to be certified, between whom, and how strictly. */
@Command(
    name = "plan",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {PlanCommand.Put.class, PlanCommand.ListPlans.class},
    description = "Puts and lists plans: what is to be certified, between whom, how strictly.",
    footer = {"", "Example:", "  parlance core plan put license.yaml"})
final class PlanCommand {
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
  static final class Put extends ControlPlaneCommand<CertificationCalls.StoredPlan> {
    @Parameters(paramLabel = "FILE", description = "the plan (YAML or JSON)")
    Path file = Path.of("");

    private PlanFile.@Nullable Draft draft;

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
    protected CertificationCalls.StoredPlan ask(ControlClient client) {
      return CertificationCalls.putPlan(client, Objects.requireNonNull(draft));
    }

    @Override
    protected void text(CertificationCalls.StoredPlan stored) {
      terminal.line(
          "%s: revision %s%s%s",
          stored.name(),
          stored.revision(),
          stored.changed() ? " is stored: " : " says the same already: ",
          Objects.requireNonNull(draft).summary());
    }
  }

  @Command(
      name = "list",
      description = "Lists plans, by name.",
      footer = {"", "Example:", "  parlance core plan list -o json"})
  static final class ListPlans extends ControlPlaneCommand<List<CertificationCalls.PlanInfo>> {

    @Override
    protected List<CertificationCalls.PlanInfo> ask(ControlClient client) {
      return CertificationCalls.plans(client);
    }

    @Override
    protected void text(List<CertificationCalls.PlanInfo> plans) {
      if (plans.isEmpty()) {
        terminal.println("no plans (parlance core plan put FILE makes one)");
        return;
      }
      var table = new TextTable("", "plan, >revision, core, >terms, >tau, >delta, bound, every");
      for (CertificationCalls.PlanInfo plan : plans) {
        table.add(
            plan.name(),
            plan.revision(),
            new CoreName(plan.agents(), plan.domain()),
            plan.terms().size(),
            Double.toString(plan.tau()),
            Double.toString(plan.delta()),
            plan.bound(),
            plan.intervalMs() == 0 ? "" : TimeText.of(plan.intervalMs()));
      }
      table.print(terminal.out());
    }
  }
}
