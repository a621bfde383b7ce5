package dev.parlance.cli.review;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.client.SidecarClient;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** What a person does about a held message beside deciding: claims, undo, links, figures. */
final class ReviewActs {
  private ReviewActs() {}

  /** A value in a query. */
  static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** One message, one person. */
  abstract static class OfOne extends ReviewCommand.Asking {
    @Parameters(paramLabel = "ID", description = "id from `parlance review list`")
    String id = "";

    @Mixin PersonOptions who = new PersonOptions();

    private final String verb;

    OfOne(String verb) {
      this.verb = verb;
    }

    String person() {
      return who.name(terminal);
    }

    /** What is said beside who. */
    void fill(Map<String, Object> body) {}

    @Override
    void check() {
      checkId(id);
      who.check(terminal);
    }

    @Override
    JsonNode ask(SidecarClient client) throws IOException {
      Map<String, Object> body = new LinkedHashMap<>();
      who.fill(terminal, body);
      fill(body);
      return client.post("/review/" + id + "/" + verb, body);
    }
  }

  /** Claims one. */
  @Command(name = "claim")
  static final class Claim extends OfOne {
    @Option(
        names = "--for",
        paramLabel = "TIME",
        description = "how long, e.g. 90s, 15m, at most 1h (default: review.claimMs)")
    Optional<String> time = Optional.empty();

    Claim() {
      super("claim");
    }

    @Override
    void fill(Map<String, Object> body) {
      time.ifPresent(given -> body.put("forMs", ReviewSelection.lengthMs("--for", given)));
    }

    @Override
    void print(JsonNode body) {
      JsonNode claim = body.path("review").path("claim");
      long leftMs = claim.path("untilMs").asLong(0) - System.currentTimeMillis();
      terminal
          .out()
          .println(
              TerminalEscaper.line(
                  id + " claimed by " + person() + " for " + Math.max(0, leftMs / 1000) + " s"));
    }
  }

  /** Gives one back. */
  @Command(name = "unclaim")
  static final class Unclaim extends OfOne {
    Unclaim() {
      super("unclaim");
    }

    @Override
    void print(JsonNode body) {
      terminal.out().println(TerminalEscaper.line(id + " is free again"));
    }
  }

  /** Takes a decision back. */
  @Command(name = "undo")
  static final class Undo extends OfOne {
    @Option(
        names = "--identical",
        description = "of all that say the same, as it was decided with --identical")
    boolean identical;

    Undo() {
      super("undo");
    }

    @Override
    void fill(Map<String, Object> body) {
      if (identical) {
        body.put("identical", true);
      }
    }

    @Override
    int status(JsonNode body) {
      return body.path("identical").path("failed").isEmpty() ? ExitStatus.OK : ExitStatus.FAILED;
    }

    @Override
    void print(JsonNode body) {
      terminal.out().println(TerminalEscaper.line(id + " waits again"));
      ReviewText.printIdentical(terminal.out(), body);
    }
  }

  /** Makes a link. */
  @Command(name = "link")
  static final class Link extends OfOne {
    @Option(
        names = "--for",
        paramLabel = "TIME",
        description = "how long it lets in, e.g. 2h, 3d, at most 31d (default: 24h)")
    String time = "24h";

    @Option(
        names = "--role",
        paramLabel = "ROLE",
        description = "viewer (default) may look, reviewer may decide")
    String role = "viewer";

    Link() {
      super("link");
    }

    @Override
    void check() {
      super.check();
      if (!role.equals("viewer") && !role.equals("reviewer")) {
        throw CommandProblem.usage(
            "--role: got " + TerminalEscaper.shortened(role, 40) + ", expected viewer or reviewer");
      }
    }

    @Override
    void fill(Map<String, Object> body) {
      body.put("forMs", ReviewSelection.lengthMs("--for", time));
      body.put("role", role);
    }

    @Override
    void print(JsonNode body) {
      terminal.out().println(TerminalEscaper.line(SidecarClient.firstText(body, "token")));
    }
  }

  /** Figures. */
  @Command(name = "stats")
  static final class Stats extends ReviewCommand.Asking {
    @Override
    JsonNode ask(SidecarClient client) throws IOException {
      return client.get("/review-stats");
    }

    @Override
    void print(JsonNode body) {
      ReviewText.printStats(terminal.out(), body);
    }
  }
}
