package dev.parlance.proxy.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreFindings.Offence;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.HeldCore.CoreState;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.message.VerdictNote;
import dev.parlance.wire.api.RoundStatus;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.metadata.VerdictJson;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Which names a pact takes for ours, and not for fields of an agent's data. */
class PactNamesTest {
  /** Nothing in it is empty, 0 or left out. */
  private static final VerdictHeader WHOLE =
      new VerdictHeader(
          "d-77",
          "warn",
          List.of("d_warn"),
          new VerdictHeader.Measured(
              Optional.of("[@C:D; @G:F; @S:2; A:[K:42]]"),
              OptionalDouble.of(0.1),
              OptionalDouble.of(0.2),
              OptionalDouble.of(0.3),
              OptionalDouble.of(0.4),
              "citation_gap"),
          new VerdictHeader.Attempt("flow", 2, 1, 2),
          new VerdictHeader.Basis(
              "declared", "parlance", "enforce", "node-1", 3, List.of(VerdictNote.values())),
          Optional.of(
              new CoreFindings(
                  new HeldCore(
                      "license",
                      Optional.of("bob"),
                      CoreState.STALE,
                      List.of(new CoreVersion(new CoreId(List.of("alice", "bob"), "license"), 3)),
                      12),
                  4,
                  1,
                  1,
                  List.of(
                      new Offence("work", TermStatus.REFUSED, Optional.of("book")),
                      new Offence("patent", TermStatus.REVOKED, Optional.empty())))),
          Optional.of(
              new RoundStatus(
                  new RoundId("price", 3),
                  "ended",
                  5,
                  Optional.of(
                      new RoundStatus.Ended(
                          "abort",
                          Optional.of("DIVERGENCE"),
                          Optional.of("yes"),
                          Optional.of("00"),
                          "note")))),
          6);

  @Test
  void everyNameThatAVerdictHas_isOneOfOurs() {
    Set<String> names = new TreeSet<>();
    gather(JsonMapper.shared().readTree(VerdictJson.withRound(WHOLE)), names);
    assertThat(names)
        .contains("header", "propagate", "evidenceCut", "leftOut", "use", "outcome", "digest")
        .allMatch(PactNames.OWN_NAMES::has);
    assertThat(PactNames.OWN_NAMES.has("amount")).isFalse();
  }

  private static void gather(JsonNode node, Set<String> into) {
    into.addAll(node.propertyNames());
    node.forEach(child -> gather(child, into));
  }
}
