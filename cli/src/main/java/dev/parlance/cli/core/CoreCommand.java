package dev.parlance.cli.core;

import dev.parlance.cli.CommandGroup;
import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ControlOptions;
import dev.parlance.cli.ControlPlaneCommand;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.offline.TableText;
import dev.parlance.client.ControlClient;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.TermStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Everything about certified cores that a control plane is asked for. */
@Command(
    name = "core",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      CoreListCommand.class,
      CoreShowCommand.class,
      CoreCommand.CoreDiffCommand.class,
      AuditCommand.StartAuditCommand.Certify.class,
      AuditCommand.StartAuditCommand.Recertify.class,
      AuditCommand.StartAuditCommand.Renegotiate.class,
      PlanCommand.class,
      AuditCommand.class
    })
public final class CoreCommand implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("core", CoreCommand.class);
  }

  @Command(name = "diff")
  static final class CoreDiffCommand extends ControlPlaneCommand<List<CertifiedCore>> {
    /** A term that does not stand where it stood; "absent" where it is not in the vocabulary. */
    record Change(String term, String from, String to) {}

    private static final String ABSENT = "absent";

    @Parameters(
        index = "0",
        paramLabel = "CORE",
        description = "its agents and its domain: alice+bob/license")
    String name = "";

    @Parameters(index = "1", paramLabel = "FROM", description = "a version")
    long from;

    @Parameters(index = "2", paramLabel = "TO", description = "a later version")
    long to;

    @Mixin ControlOptions.VerifyKeyOption verify = new ControlOptions.VerifyKeyOption();

    @Override
    protected void check() {
      CoreName.check(name);
      if (from < 1 || to < 1) {
        throw CommandProblem.usage("expected versions from 1, got " + from + " and " + to);
      }
      verify.check();
    }

    @Override
    protected List<CertifiedCore> ask(ControlClient client) throws IOException {
      List<VerifierKey> keys = verify.keys(control);
      return List.of(
          CoreCalls.core(client, name, from, keys).orFail().core(),
          CoreCalls.core(client, name, to, keys).orFail().core());
    }

    @Override
    protected Object json(List<CertifiedCore> cores) {
      return changes(cores.getFirst(), cores.getLast());
    }

    @Override
    protected void text(List<CertifiedCore> cores) {
      CertifiedCore before = cores.getFirst();
      CertifiedCore after = cores.getLast();
      List<Change> changes = changes(before, after);
      terminal.line(
          "%s: version %s certifies %s of %s terms, version %s %s of %s",
          before.id(),
          before.version(),
          before.certified().size(),
          before.terms().size(),
          after.version(),
          after.certified().size(),
          after.terms().size());
      if (!before.params().equals(after.params())) {
        terminal.println("constants: " + TableText.constants(before.params()));
        terminal.println("      now: " + TableText.constants(after.params()));
      }
      if (changes.isEmpty()) {
        terminal.println("every term stands where it stood");
        return;
      }
      var colours = new AuditText(terminal);
      var table = new TextTable("  ", "term, from, to");
      for (Change change : changes) {
        table.add(
            change.term(),
            new TextTable.Cell(change.from(), colours.colour(change.from())),
            new TextTable.Cell(change.to(), colours.colour(change.to())));
      }
      table.print(terminal.out());
    }

    private static List<Change> changes(CertifiedCore before, CertifiedCore after) {
      var keys = new TreeSet<String>();
      before.terms().forEach(term -> keys.add(term.key()));
      after.terms().forEach(term -> keys.add(term.key()));
      List<Change> changes = new ArrayList<>();
      for (String key : keys) {
        String was = status(before, key);
        String is = status(after, key);
        if (!was.equals(is)) {
          changes.add(new Change(key, was, is));
        }
      }
      return changes;
    }

    private static String status(CertifiedCore core, String key) {
      return core.term(key).map(GovernedTerm::status).map(TermStatus::code).orElse(ABSENT);
    }
  }
}
