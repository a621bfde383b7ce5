package dev.parlance.cli.review;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Shows what a sidecar decides, as it decides it. */
@Command(
    name = "tap",
    description = {
      "Shows the decisions of a running sidecar as they are taken, until Ctrl-C.",
      "",
      "It follows the decision log in the data folder, so it costs the sidecar nothing and needs"
          + " no",
      "token. Without filters it also shows repairs, acts of reviewers, refused requests and"
          + " changes",
      "of the configuration. Texts of messages are not in the log."
    },
    footer = {
      "",
      "Examples:",
      "  parlance tap --data-dir parlance-data",
      "  parlance tap --route regenerate --route yield --last 20",
      "  parlance tap --peer billing -o json | jq .signals.grounding"
    })
final class TapCommand implements Callable<Integer> {
  @Mixin LogWatch watch = new LogWatch();
  @Mixin OutputOption output = new OutputOption();

  @Option(
      names = "--last",
      paramLabel = "N",
      description = "begin with so many of the latest lines, 0 to 10000 (default: 0)")
  int last;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "end after so many lines (default: never)")
  Optional<Long> count = Optional.empty();

  private final Terminal terminal;
  private long shown;

  TapCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Optional<Integer> refusal = watch.refusal(terminal, problem());
    if (refusal.isPresent()) {
      return refusal.get();
    }
    TapText text = new TapText(terminal);
    Optional<Long> end = watch.endNanos();
    try (LogTail tail = watch.open()) {
      tail.last(last).forEach(line -> show(line, text));
      do {
        LogWatch.poll(tail, terminal, line -> show(line, text));
        terminal.out().flush();
        if (terminal.out().checkError()) {
          return ExitStatus.OK; // nobody reads any more
        }
      } while (!isEnough() && LogWatch.pause(end));
    }
    return ExitStatus.OK;
  }

  private Optional<String> problem() {
    if (last < 0 || last > 10_000) {
      return Optional.of("--last: expected a number from 0 to 10000, got " + last);
    }
    return count.isPresent() && count.get() < 1
        ? Optional.of("--count: expected 1 or more, got " + count.get())
        : Optional.empty();
  }

  private boolean isEnough() {
    return count.isPresent() && shown >= count.get();
  }

  private void show(String line, TapText text) {
    Optional<JsonNode> wanted = isEnough() ? Optional.empty() : watch.wanted(line);
    if (wanted.isPresent()) {
      shown++;
      terminal
          .out()
          .println(
              switch (output.format) {
                case JSON -> line;
                case TEXT -> text.of(wanted.get());
              });
    }
  }
}
