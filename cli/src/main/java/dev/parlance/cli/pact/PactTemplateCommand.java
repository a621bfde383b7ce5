package dev.parlance.cli.pact;

import com.google.protobuf.ByteString;
import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ControlPlaneCommand;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.ListCommand;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.client.CallRefused;
import dev.parlance.client.ControlClient;
import dev.parlance.client.SidecarClient;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proto.v1.GetPartyRequest;
import dev.parlance.proto.v1.ListTemplatesRequest;
import dev.parlance.proto.v1.PutTemplateRequest;
import dev.parlance.proto.v1.RegisterKeyRequest;
import dev.parlance.proto.v1.Template;
import dev.parlance.service.SyntaxFault;
import dev.parlance.service.file.SafeFile;
import java.io.IOException;
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
      PactTemplateCommand.TemplateListCommand.class,
      PactTemplateCommand.ShowCommand.class
    })
final class PactTemplateCommand {
  private static final String EXAMPLE =
      "expected {\"name\":..,\"version\":1,\"max_counters\":8,\"predicates\":"
          + "[{\"id\":..,\"category\":..,\"body\":..}]}";

  private PactTemplateCommand() {}

  @Command(name = "key")
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
      if (!SafeFile.create(out, key.toFile())) {
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

  /** The keys of a party that count now. */
  static List<String> keys(ControlClient client, String party) throws IOException {
    var request = GetPartyRequest.newBuilder().setParty(party).build();
    return client.pacts().ask(stub -> stub.getParty(request)).getVkeysList();
  }

  /**
   * Makes a key of an author count, if it has none; the token is the author's then. A key that a
   * party has is never replaced, for what its sidecar signs would not count any more.
   */
  static void registerIfUnknown(ControlClient client, SignerKey author) throws IOException {
    String vkey = author.verifier().format();
    List<String> known = List.of();
    try {
      known = keys(client, author.name());
    } catch (CallRefused e) {
      if (!e.isNotFound()) {
        throw e;
      }
    }
    if (!known.isEmpty() && !known.contains(vkey)) {
      throw CommandProblem.failed(
          author.name()
              + " has another key there, which must go on counting; remedy: sign with that key");
    }
    if (known.isEmpty()) {
      var request =
          RegisterKeyRequest.newBuilder()
              .setParty(author.name())
              .setVkey(vkey)
              .setFirst(true) // its sidecar may have begun meanwhile
              .build();
      var _ = client.pacts().ask(stub -> stub.registerKey(request));
    }
  }

  /** A published template, for programs. */
  private record TemplateView(String template, String author, String sha256, String note) {
    static TemplateView of(Template one) {
      return new TemplateView(
          reference(one), one.getAuthor(), one.getSha256(), one.getNote().toStringUtf8());
    }
  }

  private static String reference(Template one) {
    return one.getAuthor() + "/" + one.getName() + "@" + one.getVersion();
  }

  @Command(name = "publish")
  static final class PublishCommand extends ControlPlaneCommand<Template> {
    @Parameters(paramLabel = "FILE", description = "the template")
    Path file = Path.of("");

    @Option(
        names = "--key",
        required = true,
        paramLabel = "FILE",
        description = "the author's key (parlance pact template key)")
    Path key = Path.of("");

    @Override
    protected Template ask(ControlClient client) throws IOException {
      SignerKey author = PactTemplateCommand.key(key);
      PactStatement.Template template = read(file, author.name());
      registerIfUnknown(client, author);
      var request =
          PutTemplateRequest.newBuilder()
              .setNote(ByteString.copyFrom(PactStatementNote.sign(template, author)))
              .build();
      return client.pacts().ask(stub -> stub.putTemplate(request));
    }

    @Override
    protected Object json(Template published) {
      return TemplateView.of(published);
    }

    @Override
    protected void text(Template published) {
      terminal.line("%s@sha256:%s", reference(published), published.getSha256());
    }

    private static PactStatement.Template read(Path file, String author) throws IOException {
      JsonNode root;
      try {
        root = Json.MAPPER.readTree(Files.readString(file));
      } catch (JacksonException e) {
        throw CommandProblem.failed("%s: %s; %s".formatted(file, SyntaxFault.json(e), EXAMPLE));
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
                SidecarClient.firstText(one, "id"),
                SidecarClient.firstText(one, "category"),
                SidecarClient.firstText(one, "body"));
        if (PactTerms.read(predicate.category(), predicate.body())
            instanceof PactTerms.Reading.Bad bad) {
          throw CommandProblem.failed(
              "%s: the body of %s cannot be read: %s".formatted(file, predicate.id(), bad));
        }
        predicates.add(predicate);
      }
      try {
        return new PactStatement.Template(
            author,
            SidecarClient.firstText(root, "name"),
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

  @Command(name = "list")
  static final class TemplateListCommand extends ListCommand.Limited<Template> {
    TemplateListCommand() {
      super("template, sha-256", "no templates (parlance pact template publish FILE)");
    }

    @Override
    protected List<Template> ask(ControlClient client) throws IOException {
      var request = ListTemplatesRequest.newBuilder().setLimit(limit).build();
      return client.pacts().ask(stub -> stub.listTemplates(request).getTemplatesList());
    }

    @Override
    protected Object json(List<Template> templates) {
      return templates.stream().map(TemplateView::of).toList();
    }

    @Override
    protected Object[] row(Template one) {
      return new Object[] {reference(one), one.getSha256()};
    }
  }

  @Command(name = "show")
  static final class ShowCommand extends ControlPlaneCommand<Template> {
    @Parameters(paramLabel = "AUTHOR/NAME@VERSION", description = "which one")
    String reference = "";

    @Override
    protected void check() {
      if (!reference.matches("[^@]+/[^@/]+@[1-9][0-9]{0,8}")) {
        throw CommandProblem.usage(
            "expected AUTHOR/NAME@VERSION, got " + TerminalEscaper.shortened(reference, 80));
      }
    }

    @Override
    protected Template ask(ControlClient client) throws IOException {
      var request = ListTemplatesRequest.newBuilder().addReferences(reference).build();
      return client.pacts().ask(stub -> stub.listTemplates(request)).getTemplatesList().stream()
          .findFirst()
          .orElseThrow(() -> CommandProblem.failed("there is no template " + reference));
    }

    @Override
    protected Object json(Template template) {
      return TemplateView.of(template);
    }

    @Override
    protected void text(Template template) {
      terminal.fact("template", reference(template));
      terminal.fact("author", template.getAuthor());
      terminal.fact("digest", template.getSha256());
      if (PactStatementNote.unverified(template.getNote().toByteArray())
              instanceof PactStatementNote.Reading.Good good
          && good.statement() instanceof PactStatement.Template said) {
        terminal.out().println();
        var table = new TextTable("  ", "clause, category, body");
        said.predicates().forEach(one -> table.add(one.id(), one.category(), one.body()));
        table.print(terminal.out());
      }
    }
  }
}
