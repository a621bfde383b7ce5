package dev.parlance.cli.cluster;

import dev.parlance.cli.Colours;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.cluster.check.Check;
import dev.parlance.cli.cluster.check.CheckFinding;
import dev.parlance.cli.cluster.check.Checkup;
import java.util.List;

/** Checks for people: one line each, and what to do where one does not hold. */
final class CheckText {
  private CheckText() {}

  /** What to do, with the namespace put in. */
  static String remedy(Check check, String namespace) {
    return check.remedy().replace("NAMESPACE", namespace);
  }

  static void print(Terminal terminal, List<Checkup.Result> results, String namespace) {
    Colours paint = new Colours(terminal);
    String section = "";
    for (Checkup.Result result : results) {
      if (!result.section().equals(section)) {
        terminal.out().println((section.isEmpty() ? "" : "\n") + result.section());
        section = result.section();
      }
      print(terminal, paint, result, namespace);
    }
    terminal
        .out()
        .printf(
            "%n%d ok, %d warnings, %d failed, %d skipped%n",
            count(results, "ok"),
            count(results, "warning"),
            count(results, "failed"),
            count(results, "skipped"));
  }

  private static long count(List<Checkup.Result> results, String code) {
    return results.stream().filter(one -> one.finding().code().equals(code)).count();
  }

  private static void print(
      Terminal terminal, Colours paint, Checkup.Result result, String namespace) {
    Check check = result.check();
    CheckFinding finding = result.finding();
    String mark =
        switch (finding) {
          case CheckFinding.Good _ -> paint.good("ok     ");
          case CheckFinding.Warning _ -> paint.warning("warning");
          case CheckFinding.Bad _ -> paint.bad("FAILED ");
          case CheckFinding.Skipped _ -> paint.faint("skipped");
        };
    terminal.out().println("  " + mark + "  " + check.title());
    String about = "           " + check.id() + ": " + TerminalEscaper.line(finding.detail());
    switch (finding) {
      case CheckFinding.Good _ -> {}
      case CheckFinding.Skipped _ -> terminal.out().println(paint.faint(about));
      case CheckFinding.Warning _, CheckFinding.Bad _ -> {
        terminal.out().println(about);
        terminal.out().println("           remedy: " + remedy(check, namespace));
      }
    }
  }
}
