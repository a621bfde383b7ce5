package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundState;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ledgers on which entries of a few rounds stand in any order, written by replicas that know little
 * of each other: nothing throws, an outcome never changes, and the stranger's verifier objects to
 * the same entries.
 */
@Tag("differential")
class RandomRoundsTest {
  private static final int LEDGERS = 300;
  private static final int ENTRIES = 50;
  private static final int MEMBERS = 3;
  private static final String YES = "supports";

  @TempDir private static Path directory = Path.of("");

  private static List<Entry> entries(Random random) {
    LedgerWriter ledger = new LedgerWriter(1);
    for (int i = 0; i < ENTRIES; i++) {
      RoundId id = new RoundId(random.nextInt(4) > 0 ? "a" : "b", i == 0 ? 1 : epoch(random));
      int faults = random.nextInt(20) == 0 ? 1 : 0;
      RoundSpec spec = RoundWriter.spec(id, faults, MEMBERS, new Encoding("enc", 2, 0.9));
      RoundWriter round = new RoundWriter(ledger, id, spec, i);
      int what = random.nextInt(20);
      if (what < 2 || i == 0) {
        ledger.append(round.opened());
      } else if (what < 15 || i < ENTRIES / 3) {
        ledger.append(proposed(round, random));
      } else if (what < 16) {
        ledger.append(round.sealed(random.nextBoolean() ? SealCause.COMPLETE : SealCause.DEADLINE));
      } else {
        decided(ledger, round, random).ifPresent(ledger::append);
      }
    }
    return ledger.entries();
  }

  /** Mostly the first. */
  private static long epoch(Random random) {
    return random.nextInt(4) > 0 ? 1 : 1 + random.nextInt(3);
  }

  private static RoundEntry.Proposed proposed(RoundWriter round, Random random) {
    String verdict = random.nextInt(40) == 0 ? "refutes" : YES;
    int agent = random.nextInt(random.nextInt(10) == 0 ? MEMBERS + 1 : MEMBERS);
    return round.proposed(agent, verdict, "text " + (random.nextInt(40) == 0), meaning(random));
  }

  private static Meaning meaning(Random random) {
    int kind = random.nextInt(20);
    if (kind == 0) {
      return Meaning.MALFORMED;
    }
    if (kind == 1) {
      return Meaning.UNENCODED;
    }
    double[] vector = kind == 2 ? new double[] {1, 2, 3} : new double[] {1, random.nextInt(3)};
    return new Meaning.Vector(QuantVector.of(vector, vector.length).orElseThrow());
  }

  /** The decision that follows, sometimes with a lie in it, or one where none is due. */
  private static java.util.Optional<RoundEntry.Decided> decided(
      LedgerWriter ledger, RoundWriter round, Random random) {
    return ledger
        .state()
        .round(round.id)
        .flatMap(record -> RoundDecision.of(record, ledger.now()))
        .map(follows ->
            random.nextInt(4) > 0
                ? follows
                : new RoundEntry.Decided(
                    follows.id(),
                    follows.outcome(),
                    follows.reason(),
                    follows.verdict(),
                    RoundSpec.MAX_MEMBERS,
                    follows.support(),
                    follows.runnerUp(),
                    follows.core(),
                    follows.minCos(),
                    follows.claims(),
                    follows.digest(),
                    follows.signatures(),
                    follows.documentSha256(),
                    follows.atMs()));
  }

  @Test
  void anOutcome_onceThere_neverChanges_andOnlyAbortsHaveASuccessor() {
    for (int seed = 0; seed < LEDGERS; seed++) {
      LedgerState state = new LedgerState();
      Map<RoundId, Outcome> ended = new HashMap<>();
      List<Entry> entries = entries(new Random(seed));
      for (int i = 0; i < entries.size(); i++) {
        state.apply(i, entries.get(i));
        for (RoundRecord round : state.rounds(ENTRIES)) {
          round
              .outcome()
              .ifPresent(outcome ->
                  assertThat(ended.merge(round.id(), outcome, (first, _) -> first))
                      .isEqualTo(outcome));
          assertThat(state.unfinishedRounds().contains(round)).isEqualTo(round.outcome().isEmpty());
          assertThat(round.proposals()).hasSameSizeAs(round.state().proposals());
          assertThat(round.sealed().isPresent())
              .isEqualTo(round.state().status().compareTo(RoundState.Status.SEALED) >= 0);
        }
      }
      ended.forEach((id, outcome) -> {
        if (!outcome.kind().equals("abort")) {
          assertThat(state.round(new RoundId(id.round(), id.epoch() + 1))).isEmpty();
        }
      });
    }
  }

  /** For each ledger, a line with the indices objected to, and what rounds came to. */
  private static final List<String> STRANGER =
      """
      import sys
      sys.path.insert(0, sys.argv[1])
      import verify_ledger as verifier

      verifier.SHOWN = sys.maxsize
      names = ("repeated", "overtaken", "rounds", "proposals", "semantic commits",
               "verdict commits", "aborts")
      for text in open(sys.argv[2], "rb").read().split(b"\\n\\n")[:-1]:
          ledger = verifier.Ledger()
          for index, line in enumerate(text.split(b"\\n")):
              ledger.take(index, verifier.read_entry(line))
          problems = [int(one.split(":")[0].split()[1]) for one in ledger.problems]
          print(problems, [ledger.counts[name] for name in names])
      """
          .lines()
          .toList();

  @Test
  void aStrangerObjectsToTheSameEntries() throws Exception {
    PythonVerifier.assumePresent();
    StringBuilder ledgers = new StringBuilder();
    List<String> ours = new ArrayList<>();
    long commits = 0;
    for (int seed = 0; seed < LEDGERS; seed++) {
      List<Entry> entries = entries(new Random(seed));
      entries.forEach(entry -> ledgers.append(EntryCodec.line(entry)).append('\n'));
      ledgers.append('\n');
      RecomputationReport report =
          RecomputationTest.recompute(entries.stream().map(EntryCodec::encode).toList());
      RecomputationReport.Rounds rounds = report.rounds();
      commits += rounds.semanticCommits() + rounds.verdictCommits();
      ours.add(
          report.disagreements().stream()
                  .map(one -> String.valueOf(one.index()))
                  .collect(Collectors.joining(", ", "[", "] "))
              + List.of(
                  report.duplicates(),
                  rounds.overtakenCount(),
                  rounds.opened(),
                  rounds.proposals(),
                  rounds.semanticCommits(),
                  rounds.verdictCommits(),
                  rounds.aborts()));
    }
    assertThat(commits).isGreaterThan(LEDGERS / 10);
    Path file = Files.createTempFile(directory, "ledgers", ".txt");
    Files.writeString(file, ledgers, StandardCharsets.UTF_8);
    PythonVerifier.Run run =
        new PythonVerifier(directory).program(STRANGER, List.of(file.toString()));
    assertThat(run.output().lines().toList()).isEqualTo(ours);
    assertThat(run.status()).isZero();
  }
}
