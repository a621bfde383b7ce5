package dev.parlance.cli.ledger;

import dev.parlance.ledger.record.LedgerAudit;
import dev.parlance.ledger.record.RecomputationReport;
import dev.parlance.ledger.verify.VerifyReport.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What checking a ledger came to, as JSON. */
final class VerificationJson {
  private VerificationJson() {}

  /** Of a directory. */
  static Map<String, Object> of(LedgerAudit.Report report, boolean keyGiven) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("sound", report.sound());
    view.put("origin", report.structure().origin());
    report.structure().size().ifPresent(size -> view.put("size", size));
    view.put("key", report.structure().keyUsed());
    view.put("keyGiven", keyGiven);
    view.put("witnesses", report.structure().witnesses());
    view.put("findings", report.structure().findings().stream().map(VerificationJson::of).toList());
    view.put("beyondCheckpoint", report.structure().beyondCheckpoint());
    report.recomputation().ifPresent(recomputation -> view.put("recomputation", recomputation));
    report.unread().ifPresent(why -> view.put("unread", why));
    return view;
  }

  /** Of an export. */
  static Map<String, Object> of(
      boolean sound, List<String> findings, RecomputationReport recomputation, boolean keyGiven) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("sound", sound);
    view.put("keyGiven", keyGiven);
    view.put("findings", findings);
    view.put("recomputation", recomputation);
    return view;
  }

  private static Map<String, Object> of(Finding finding) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("kind", finding.kind().code());
    view.put("path", finding.path());
    if (finding.index() != Finding.WHOLE_FILE) {
      view.put("index", finding.index());
    }
    view.put("expected", finding.expected());
    view.put("found", finding.found());
    return view;
  }
}
