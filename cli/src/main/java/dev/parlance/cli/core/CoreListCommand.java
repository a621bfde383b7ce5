package dev.parlance.cli.core;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.AuditInfo;
import dev.parlance.cli.api.CertificationCalls;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlOptions;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.ReceivedCore;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.core.TermStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "list",
    description = {
      "Lists cores with version, age and how many of their terms stand where.",
      "Exit status 1 if one cannot be read or, with --verify-key, is not signed by it."
    },
    footer = {"", "Example:", "  parlance core list --domain license --history"})
final class CoreListCommand extends ControlPlaneCommand<List<ReceivedCore>> {
  @Option(
      names = "--agent",
      paramLabel = "AGENT",
      description = "only cores of exactly these agents; may stand several times")
  List<String> agents = new ArrayList<>();

  @Option(names = "--domain", paramLabel = "DOMAIN", description = "only cores of this domain")
  String domain = "";

  @Option(names = "--history", description = "also the older versions")
  boolean history;

  @Mixin ControlOptions.VerifyKeyOption verify = new ControlOptions.VerifyKeyOption();

  @Override
  protected void check() {
    for (String agent : agents) {
      if (!Names.isName(agent)) {
        throw CommandProblem.usage(
            "--agent: not an id of an agent: " + TerminalEscaper.shortened(agent, 80));
      }
    }
    verify.check();
  }

  @Override
  protected List<ReceivedCore> ask(ControlClient client) throws IOException {
    List<String> sorted = agents.stream().sorted().distinct().toList();
    return CertificationCalls.cores(client, sorted, domain, history, verify.keys(control));
  }

  @Override
  protected Object json(List<ReceivedCore> cores) {
    return cores.stream().map(CoreJson::summary).toList();
  }

  @Override
  protected int status(List<ReceivedCore> cores) {
    boolean allRead = cores.stream().noneMatch(ReceivedCore.Bad.class::isInstance);
    return allRead ? ExitStatus.OK : ExitStatus.FAILED;
  }

  @Override
  protected void text(List<ReceivedCore> cores) {
    if (cores.isEmpty()) {
      terminal.println("no cores (parlance core certify PLAN makes one)");
      return;
    }
    long nowMs = System.currentTimeMillis();
    var table =
        new TextTable(
            "",
            "core, >version, >age, >certified, >refused, >revoked, >untested, bound, signature");
    for (ReceivedCore look : cores) {
      switch (look) {
        case ReceivedCore.Read read ->
            table.add(
                read.name(),
                read.version(),
                TimeText.since(read.core().issuedAtMs(), nowMs),
                read.count(TermStatus.CERTIFIED),
                read.count(TermStatus.REFUSED),
                read.count(TermStatus.REVOKED),
                read.count(TermStatus.UNTESTED),
                read.core().params().bound().code(),
                switch (read.trust()) {
                  case VERIFIED -> new TextTable.Cell("good", terminal::good);
                  case UNCHECKED -> new TextTable.Cell("not checked", terminal::warning);
                });
        case ReceivedCore.Bad bad ->
            table.add(
                bad.name(),
                bad.version(),
                "",
                "",
                "",
                "",
                "",
                "",
                new TextTable.Cell(bad.why(), terminal::bad));
      }
    }
    table.print(terminal.out());
  }

  /** Cores as JSON. */
  static final class CoreJson {
    private CoreJson() {}

    /** Without its terms. */
    static Map<String, Object> summary(ReceivedCore look) {
      Map<String, Object> view = new LinkedHashMap<>();
      view.put("core", look.name());
      view.put("version", look.version());
      switch (look) {
        case ReceivedCore.Bad bad -> {
          view.put("signature", "refused");
          view.put("error", bad.why());
        }
        case ReceivedCore.Read read -> {
          CertifiedCore core = read.core();
          view.put("agents", core.agents());
          view.put("domain", core.domain());
          view.put("issuedAtMs", core.issuedAtMs());
          view.put("tau", core.params().tau());
          view.put("delta", core.params().delta());
          view.put("rhoMin", core.params().rhoMin());
          view.put("bound", core.params().bound().code());
          view.put("ledgerSize", core.ledgerSize());
          view.put(
              "signature",
              switch (read.trust()) {
                case VERIFIED -> "good";
                case UNCHECKED -> "unchecked";
              });
          for (TermStatus status : TermStatus.values()) {
            view.put(status.code(), read.count(status));
          }
        }
      }
      return view;
    }

    /** With its terms and the decisions that they rest on. */
    static Map<String, Object> whole(
        ReceivedCore.Read read, Map<String, List<AuditInfo.Result>> latest) {
      Map<String, Object> view = summary(read);
      List<Map<String, Object>> terms = new ArrayList<>();
      for (GovernedTerm term : read.core().terms()) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("term", term.key());
        one.put("status", term.status().code());
        term.alternative().ifPresent(alternative -> one.put("alternative", alternative));
        List<AuditInfo.Result> results = latest.getOrDefault(term.key(), List.of());
        if (!results.isEmpty()) {
          one.put("decisions", results);
        }
        terms.add(one);
      }
      view.put("terms", terms);
      return view;
    }
  }
}
