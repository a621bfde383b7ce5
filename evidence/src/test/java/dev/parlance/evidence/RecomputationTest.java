package dev.parlance.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RecomputationTest {
  static RecomputationReport recompute(List<byte[]> entries) {
    Recomputation recomputation = new Recomputation();
    for (int i = 0; i < entries.size(); i++) {
      recomputation.entry(i, entries.get(i));
    }
    return recomputation.report();
  }

  @Test
  void anHonestLedgerWithEveryKindOfEntryAgrees() {
    for (int seed = 0; seed < 5; seed++) {
      LedgerWriter ledger = SampleLedger.write(seed);
      RecomputationReport report = recompute(ledger.bytes());
      assertThat(report.disagreements()).isEmpty();
      System.out.println(report.format());
      for (String t : SampleLedger.TERMS)
        for (String p : List.of("wilson", "exact", "anytime", "three"))
          System.out.println(p + " " + t + " " + SampleLedger.status(ledger, p, t));
    }
  }
}
