package dev.parlance.cli.core;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ControlOptions;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.ListCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.client.ControlClient;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.proto.v1.ListCoresRequest;
import dev.parlance.proto.v1.TermResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "list")
final class CoreListCommand extends ListCommand<ReceivedCore> {
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

  CoreListCommand() {
    super(
        "core, >version, >age, >certified, >refused, >revoked, >untested, bound, signature",
        "no cores (parlance core certify PLAN makes one)");
  }

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
    var request =
        ListCoresRequest.newBuilder()
            .addAllAgents(agents.stream().sorted().distinct().toList())
            .setDomain(domain)
            .setHistory(history)
            .build();
    List<VerifierKey> keys = verify.keys(control);
    return client.certification().ask(stub -> stub.listCores(request)).getCoresList().stream()
        .map(core -> ReceivedCore.of(core, keys))
        .toList();
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
  protected Object[] row(ReceivedCore core) {
    return switch (core) {
      case ReceivedCore.Read read ->
          new Object[] {
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
            }
          };
      case ReceivedCore.Bad bad ->
          new Object[] {
            bad.name(),
            bad.version(),
            "",
            "",
            "",
            "",
            "",
            "",
            new TextTable.Cell(bad.why(), terminal::bad)
          };
    };
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
    static Map<String, Object> whole(ReceivedCore.Read read, Map<String, List<TermResult>> latest) {
      Map<String, Object> view = summary(read);
      List<Map<String, Object>> terms = new ArrayList<>();
      for (GovernedTerm term : read.core().terms()) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("term", term.key());
        one.put("status", term.status().code());
        term.alternative().ifPresent(alternative -> one.put("alternative", alternative));
        List<TermResult> results = latest.getOrDefault(term.key(), List.of());
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
