package dev.parlance.cli.pact;

import com.google.protobuf.ByteString;
import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ControlPlaneCommand;
import dev.parlance.cli.ListCommand;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.client.ControlClient;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proto.v1.Case;
import dev.parlance.proto.v1.ListCasesRequest;
import dev.parlance.proto.v1.PutTemplateRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Negotiations that two sidecars have handed to an arbiter. */
@Command(
    name = "case",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      PactCaseCommand.CaseListCommand.class,
      PactCaseCommand.CaseShowCommand.class,
      PactCaseCommand.CaseDecideCommand.class
    })
final class PactCaseCommand {
  private PactCaseCommand() {}

  private static Case find(ControlClient client, String negotiation) throws IOException {
    var request = ListCasesRequest.newBuilder().setNegotiation(negotiation).setLimit(2).build();
    List<Case> found = client.pacts().ask(stub -> stub.listCases(request).getCasesList());
    if (found.size() != 1) {
      throw CommandProblem.failed(
          found.isEmpty()
              ? "no case " + negotiation + " (parlance pact case list)"
              : "two initiators have handed over " + negotiation);
    }
    return found.getFirst();
  }

  private static Optional<PactStatement.Report> report(Case open) {
    return PactStatementNote.unverified(open.getNote().toByteArray())
                instanceof PactStatementNote.Reading.Good(PactStatement said, _)
            && said instanceof PactStatement.Report report
        ? Optional.of(report)
        : Optional.empty();
  }

  /** The clauses as they stood when both handed them over. */
  private static List<Predicate> clauses(Case open) {
    return report(open)
        .flatMap(PactStatement.Report::escalation)
        .map(PactStatement.Escalation::predicates)
        .orElse(List.of());
  }

  /** What both parties had the open clauses say last, by their ids. */
  private static Map<String, PactStatement.Detail> offers(Case open) {
    Map<String, PactStatement.Detail> offers = new TreeMap<>();
    report(open)
        .map(PactStatement.Report::details)
        .orElse(List.of())
        .forEach(one -> offers.put(one.predicate(), one));
    return offers;
  }

  @Command(name = "list")
  static final class CaseListCommand extends ListCommand.Limited<Case> {
    @Option(names = "--arbiter", paramLabel = "NAME", description = "only those of this arbiter")
    String arbiter = "";

    @Option(names = "--waiting", description = "only those that wait for a decision")
    boolean waiting;

    CaseListCommand() {
      super(
          "negotiation, parties, arbiter, state, >handed over, >until",
          "no cases (policies that name an arbiter hand them over)");
    }

    @Override
    protected List<Case> ask(ControlClient client) throws IOException {
      var request =
          ListCasesRequest.newBuilder()
              .setArbiter(arbiter)
              .setWaiting(waiting)
              .setLimit(limit)
              .build();
      return client.pacts().ask(stub -> stub.listCases(request).getCasesList());
    }

    @Override
    protected Object[] row(Case one) {
      return new Object[] {
        one.getNegotiation(),
        one.getInitiator() + " -> " + one.getResponder(),
        one.getArbiter(),
        one.getState(),
        TimeText.since(one.getEscalatedAtMs(), nowMs),
        TimeText.time(one.getUntilMs())
      };
    }
  }

  @Command(name = "show")
  static final class CaseShowCommand extends ControlPlaneCommand<Case> {
    @Parameters(paramLabel = "NEGOTIATION", description = "id of the negotiation")
    String negotiation = "";

    @Override
    protected Case ask(ControlClient client) throws IOException {
      return find(client, negotiation);
    }

    @Override
    protected void text(Case open) {
      terminal.fact("negotiation", open.getNegotiation());
      terminal.fact("parties", open.getInitiator() + " -> " + open.getResponder());
      terminal.fact("arbiter", open.getArbiter());
      terminal.fact("state", open.getState());
      terminal.fact("until", TimeText.time(open.getUntilMs()));
      terminal.fact("decision", open.getTemplate());
      terminal.out().println();
      Map<String, PactStatement.Detail> offers = offers(open);
      var table =
          new TextTable(
              "  ",
              "clause, category, body, %s offered, %s offered"
                  .formatted(open.getInitiator(), open.getResponder()));
      clauses(open)
          .forEach(one -> {
            Optional<PactStatement.Detail> both = Optional.ofNullable(offers.get(one.id()));
            table.add(
                one.id(),
                one.category(),
                one.body(),
                both.map(PactStatement.Detail::ours).orElse(""),
                both.map(PactStatement.Detail::theirs).orElse(""));
          });
      table.print(terminal.out());
    }
  }

  @Command(name = "decide")
  static final class CaseDecideCommand extends ControlPlaneCommand<Case> {
    @Parameters(paramLabel = "NEGOTIATION", description = "id of the negotiation")
    String negotiation = "";

    @Option(
        names = "--set",
        paramLabel = "CLAUSE=BODY",
        description = "what a clause says instead of what it said; may stand several times")
    List<String> changes = List.of();

    @Option(names = "--refuse", description = "no pact is made")
    boolean refuse;

    @Option(
        names = "--key",
        required = true,
        paramLabel = "FILE",
        description = "the arbiter's key (parlance pact template key NAME)")
    Path key = Path.of("");

    @Override
    protected void check() {
      if (refuse && !changes.isEmpty()) {
        throw CommandProblem.usage("expected --set or --refuse, not both");
      }
      if (changes.stream().anyMatch(one -> one.indexOf('=') < 1)) {
        throw CommandProblem.usage("--set: expected CLAUSE=BODY");
      }
    }

    @Override
    protected Case ask(ControlClient client) throws IOException {
      Case open = find(client, negotiation);
      SignerKey arbiter = PactTemplateCommand.key(key);
      if (!arbiter.name().equals(open.getArbiter())) {
        throw CommandProblem.failed(
            "the key is that of %s, and %s decides it"
                .formatted(arbiter.name(), open.getArbiter()));
      }
      PactTemplateCommand.registerIfUnknown(client, arbiter);
      PactCase decided =
          new PactCase(
              open.getNegotiation(),
              open.getInitiator(),
              open.getResponder(),
              open.getArbiter(),
              open.getPact(),
              open.getUntilMs());
      PactStatement.Template said =
          PactStatement.Template.deciding(decided, refuse ? List.of() : terms(open));
      var request =
          PutTemplateRequest.newBuilder()
              .setNote(ByteString.copyFrom(PactStatementNote.sign(said, arbiter)))
              .build();
      var _ = client.pacts().ask(stub -> stub.putTemplate(request));
      return find(client, negotiation);
    }

    /** What both sign, if their policies allow it: a clause in every category. */
    private List<Predicate> terms(Case open) {
      Map<String, String> bodies = new TreeMap<>();
      for (String change : changes) {
        bodies.put(
            change.substring(0, change.indexOf('=')), change.substring(change.indexOf('=') + 1));
      }
      List<Predicate> terms = new ArrayList<>();
      for (Predicate one : clauses(open)) {
        String changed = bodies.remove(one.id());
        terms.add(changed == null ? one : new Predicate(one.id(), one.category(), changed));
      }
      if (!bodies.isEmpty()) {
        throw CommandProblem.failed("the case has no clause " + String.join(", ", bodies.keySet()));
      }
      for (Predicate one : terms) {
        if (PactTerms.read(one.category(), one.body()) instanceof PactTerms.Reading.Bad bad) {
          throw CommandProblem.failed("the body of %s cannot be read: %s".formatted(one.id(), bad));
        }
      }
      Arrays.stream(PactCategory.values())
          .filter(
              category -> terms.stream().noneMatch(one -> one.category().equals(category.code())))
          .findFirst()
          .ifPresent(category -> {
            throw CommandProblem.failed(
                "no clause of category " + category.code() + ", so that nobody can sign it");
          });
      return terms;
    }

    @Override
    protected void text(Case open) {
      terminal.line("%s: %s", open.getNegotiation(), open.getState());
    }
  }
}
