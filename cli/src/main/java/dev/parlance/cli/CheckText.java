package dev.parlance.cli;

import dev.parlance.cli.check.Check;
import dev.parlance.cli.check.Checkup;
import dev.parlance.cli.check.Finding;
import java.util.List;

/** Checks for people: one line each, and what to do where one does not hold. */
final class CheckText {
  private CheckText() {}

  /** What to do, with the namespace put in. */
  static String remedy(Check check, String namespace) {
    return check.remedy().replace("NAMESPACE", namespace);
  }

  static void print(Terminal terminal, List<Checkup.Result> results, String namespace) {
    Paint paint = new Paint(terminal);
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
      Terminal terminal, Paint paint, Checkup.Result result, String namespace) {
    Check check = result.check();
    Finding finding = result.finding();
    String mark =
        switch (finding) {
          case Finding.Good _ -> paint.good("ok     ");
          case Finding.Warning _ -> paint.warning("warning");
          case Finding.Bad _ -> paint.bad("FAILED ");
          case Finding.Skipped _ -> paint.faint("skipped");
        };
    terminal.out().println("  " + mark + "  " + check.title());
    String about = "           " + check.id() + ": " + Inert.line(finding.detail());
    switch (finding) {
      case Finding.Good _ -> {}
      case Finding.Skipped _ -> terminal.out().println(paint.faint(about));
      case Finding.Warning _, Finding.Bad _ -> {
        terminal.out().println(about);
        terminal.out().println("           remedy: " + remedy(check, namespace));
      }
    }
  }
}
