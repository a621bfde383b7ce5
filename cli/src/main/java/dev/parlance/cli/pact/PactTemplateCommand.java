package dev.parlance.cli.pact;

import dev.parlance.cli.AdminClient;
import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.PactInfo.TemplateInfo;
import dev.parlance.cli.api.PactServiceCalls;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactStatement.Template;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.Predicate;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Templates of pacts: sets of clauses that agents may agree on without a word. */
@Command(
    name = "template",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      PactTemplateCommand.KeyCommand.class,
      PactTemplateCommand.PublishCommand.class,
      PactTemplateCommand.ListCommand.class,
      PactTemplateCommand.ShowCommand.class
    },
    description = {
      "Makes an author's key, signs and publishes templates of pacts, lists and shows them.",
      "A version of a template never changes: what is to change gets a new version."
    },
    footer = {
      "",
      "Examples:",
      "  parlance pact template key platform --out platform.key",
      "  parlance control token platform > platform.token",
      "  parlance pact template publish enrich.json --key platform.key --token-file platform.token",
      "  parlance pact template show enrich@1"
    })
final class PactTemplateCommand {
  private static final String EXAMPLE =
      "expected {\"name\":..,\"version\":1,\"max_counters\":8,\"predicates\":"
          + "[{\"id\":..,\"category\":..,\"body\":..}]}";

  private PactTemplateCommand() {}

  @Command(
      name = "key",
      description = {
        "Makes a key of an author and prints its public half. The file is readable by its",
        "owner only and is never overwritten."
      },
      footer = {"", "Example:", "  parlance pact template key platform --out platform.key"})
  static final class KeyCommand extends TerminalCommand {
    @Parameters(paramLabel = "AUTHOR", description = "whose key; an agent's id or another name")
    String author = "";

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "where to")
    Path out = Path.of("");

    @Override
    public Integer call() throws IOException {
      if (!RoundNames.isName(author)) {
        throw CommandProblem.usage(
            "expected a name of letters, digits and ._:/-, got "
                + TerminalEscaper.shortened(author, 80));
      }
      SignerKey key = SignerKey.generate(author, KeyType.ED25519);
      try {
        key.save(out);
      } catch (FileAlreadyExistsException e) {
        throw CommandProblem.failed(out + " exists already; a key is never overwritten");
      }
      terminal.println(key.verifier().format());
      return ExitStatus.OK;
    }
  }

  /** The key in a file. */
  static SignerKey key(Path file) throws IOException {
    return switch (SignerKey.load(file)) {
      case Parsed.Ok<SignerKey>(SignerKey loaded) -> loaded;
      case Parsed.Bad<SignerKey> bad ->
          throw CommandProblem.failed("cannot use " + file + ": " + bad.detail());
    };
  }

  @Command(
      name = "publish",
      description = {
        "Signs a template and publishes it at a control plane. The file is JSON: name,",
        "version, max_counters (optional), predicates with id, category and body. Where the",
        "author's key is not known there it is registered, which wants the author's token",
        "(parlance control token AUTHOR)."
      },
      footer = {
        "",
        "Example:",
        "  parlance pact template publish enrich.json --key platform.key --token-file t"
      })
  static final class PublishCommand extends ControlPlaneCommand<TemplateInfo> {
    @Parameters(paramLabel = "FILE", description = "the template")
    Path file = Path.of("");

    @Option(
        names = "--key",
        required = true,
        paramLabel = "FILE",
        description = "the author's key (parlance pact template key)")
    Path key = Path.of("");

    @Override
    protected TemplateInfo ask(ControlClient client) throws IOException {
      SignerKey author = PactTemplateCommand.key(key);
      Template template = read(file, author.name());
      PactServiceCalls.registerIfUnknown(client, author.name(), author.verifier().format());
      return PactServiceCalls.put(client, PactStatementNote.sign(template, author));
    }

    @Override
    protected void text(TemplateInfo published) {
      terminal.println(
          TerminalEscaper.line(
              published.template() + " of " + published.author() + ", " + published.sha256()));
    }

    static Template read(Path file, String author) throws IOException {
      JsonNode root;
      try {
        root = Json.MAPPER.readTree(Files.readString(file));
      } catch (JacksonException e) {
        throw CommandProblem.failed(file + " is no JSON: " + e.getOriginalMessage());
      }
      Set<String> unknown = new TreeSet<>(root.propertyNames());
      unknown.removeAll(Set.of("name", "version", "max_counters", "predicates"));
      if (!root.isObject() || !root.path("predicates").isArray() || !unknown.isEmpty()) {
        throw CommandProblem.failed(file + ": " + EXAMPLE + unknownText(unknown));
      }
      List<Predicate> predicates = new ArrayList<>();
      for (JsonNode one : root.path("predicates")) {
        Predicate predicate =
            new Predicate(
                AdminClient.firstText(one, "id"),
                AdminClient.firstText(one, "category"),
                AdminClient.firstText(one, "body"));
        if (PactTerms.read(predicate.category(), predicate.body())
            instanceof PactTerms.Reading.Bad bad) {
          throw CommandProblem.failed(
              "%s: the body of %s cannot be read: %s".formatted(file, predicate.id(), bad));
        }
        predicates.add(predicate);
      }
      try {
        return new Template(
            author,
            AdminClient.firstText(root, "name"),
            root.path("version").asInt(0),
            root.has("max_counters")
                ? OptionalInt.of(root.path("max_counters").asInt(0))
                : OptionalInt.empty(),
            predicates);
      } catch (IllegalArgumentException e) {
        throw CommandProblem.failed(file + ": " + e.getMessage());
      }
    }

    private static String unknownText(Set<String> unknown) {
      return unknown.isEmpty() ? "" : ", got also " + String.join(", ", unknown);
    }
  }

  @Command(
      name = "list",
      description = "Lists published templates, newest first.",
      footer = {"", "Example:", "  parlance pact template list"})
  static final class ListCommand extends ControlPlaneCommand<List<TemplateInfo>> {
    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "how many at most, 1 to 1000 (default: 100)")
    int limit = 100;

    @Override
    protected void check() {
      CommandProblem.checkRange("--limit", limit, 1, 1000);
    }

    @Override
    protected List<TemplateInfo> ask(ControlClient client) {
      return PactServiceCalls.templates(client, List.of(), 0, limit);
    }

    @Override
    protected void text(List<TemplateInfo> templates) {
      if (templates.isEmpty()) {
        terminal.println("no templates (parlance pact template publish FILE)");
        return;
      }
      var table = new TextTable("", "template, author, sha-256");
      templates.forEach(one -> table.add(one.template(), one.author(), one.sha256()));
      table.print(terminal.out());
    }
  }

  @Command(
      name = "show",
      description = "Shows a published template as it was signed.",
      footer = {"", "Example:", "  parlance pact template show enrich@1"})
  static final class ShowCommand extends ControlPlaneCommand<TemplateInfo> {
    @Parameters(paramLabel = "NAME@VERSION", description = "which one")
    String reference = "";

    @Override
    protected void check() {
      if (!reference.matches("[^@]+@[1-9][0-9]{0,8}")) {
        throw CommandProblem.usage(
            "expected NAME@VERSION, got " + TerminalEscaper.shortened(reference, 80));
      }
    }

    @Override
    protected TemplateInfo ask(ControlClient client) {
      int at = reference.indexOf('@');
      return PactServiceCalls.templates(
              client,
              List.of(reference.substring(0, at)),
              Integer.parseInt(reference.substring(at + 1)),
              1)
          .stream()
          .findFirst()
          .orElseThrow(() -> CommandProblem.failed("there is no template " + reference));
    }

    @Override
    protected void text(TemplateInfo template) {
      terminal.fact("template", template.template());
      terminal.fact("author", template.author());
      terminal.fact("digest", template.sha256());
      if (PactStatementNote.unverified(template.noteBytes())
              instanceof PactStatementNote.Reading.Good good
          && good.statement() instanceof Template said) {
        terminal.out().println();
        var table = new TextTable("  ", "clause, category, body");
        said.predicates().forEach(one -> table.add(one.id(), one.category(), one.body()));
        table.print(terminal.out());
      }
    }
  }
}
