package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.record.PythonVerifier.Run;
import dev.parlance.ledger.record.RoundEntry.SignatureRule;
import dev.parlance.ledger.round.EquivocationProof;
import dev.parlance.policy.commit.CriticalDifference;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.ListComparer;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundSpec.Agreement;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import dev.parlance.policy.commit.TextComparison;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verifier of a stranger comes to the same outcomes of rounds as we do. */
@Tag("differential")
class PythonRoundsTest {
  private static final int SEED = 5;
  private static final int ROUNDS = 80;

  @TempDir private static Path directory = Path.of("");
  private static final List<byte[]> SAMPLE = SampleRounds.write(SEED).bytes();
  private static final List<Entry> ENTRIES = SampleRounds.write(SEED).entries();

  @BeforeAll
  static void python() throws Exception {
    PythonVerifier.assumePresent();
  }

  private static Run verify(List<byte[]> entries) throws Exception {
    PythonVerifier python = new PythonVerifier(directory);
    return python.verify(python.export(entries), Optional.of(ExportTest.KEY.verifier().format()));
  }

  private static void changed(Predicate<Entry> what, UnaryOperator<String> change)
      throws Exception {
    for (int i = 0; i < ENTRIES.size(); i++) {
      if (what.test(ENTRIES.get(i))) {
        Run run = new PythonVerifier(directory).verifyChanged(SAMPLE, i, change);
        assertThat(run.status()).isEqualTo(1);
        return;
      }
    }
    throw new IllegalStateException("the sample has no such entry");
  }

  private static boolean isDecided(Entry entry, String kind) {
    return entry instanceof RoundEntry.Decided decided && decided.outcome().equals(kind);
  }

  private static void sameCounts(List<byte[]> entries) throws Exception {
    RecomputationReport report = RecomputationTest.recompute(entries);
    assertThat(report.disagreements()).isEmpty();
    RecomputationReport.Rounds ours = report.rounds();
    Run run = verify(entries);
    assertThat(run.output())
        .contains("sound: ")
        .contains(", " + ours.opened() + " rounds,")
        .contains(", " + ours.proposals() + " proposals,")
        .contains(", " + ours.semanticCommits() + " semantic commits,")
        .contains(", " + ours.verdictCommits() + " verdict commits,")
        .contains(", " + ours.aborts() + " aborts,")
        .contains(", " + ours.overtakenCount() + " overtaken")
        .contains(", " + report.duplicates() + " repeated,");
    ours.unfinished()
        .forEach(
            name -> assertThat(run.output()).contains("note: round " + name + " has not ended"));
    assertThat(run.status()).isZero();
  }

  @Test
  void itReproducesEveryOutcomeOfTheSample() throws Exception {
    sameCounts(SAMPLE);
  }

  @Test
  void itChecksTheSignaturesOfMembers() throws Exception {
    LedgerWriter ledger = new LedgerWriter(SEED);
    SignedRound round =
        new SignedRound(ledger, "signed", 1, 1, RoundEntry.SignatureRule.REQUIRED)
            .keys()
            .open()
            .decide()
            .sign(2, 0);
    sameCounts(ledger.bytes());
    assertThat(verify(ledger.bytes()).output())
        .contains("note: round signed:1 is not final, not signed by agent-1, agent-3");
    List<String> pins =
        SignedRound.pins(4).keys().values().stream().map(keys -> keys.getFirst().format()).toList();
    PythonVerifier python = new PythonVerifier(directory);
    Optional<String> key = Optional.of(ExportTest.KEY.verifier().format());
    Run two = python.verify(python.export(ledger.bytes()), key, pins);
    assertThat(two.output()).contains("round signed:1 is not signed by 3 members");
    assertThat(two.status()).isEqualTo(1);
    round.sign(3);
    ledger.ignored(Applied.Cause.DUPLICATE, round.line(3));
    sameCounts(ledger.bytes());
    Run three = python.verify(python.export(ledger.bytes()), key, pins);
    assertThat(three.output()).contains("1 outcomes signed by members");
    assertThat(three.status()).isZero();
    assertThat(python.verify(python.export(ledger.bytes()), key, pins.subList(0, 3)).status())
        .isEqualTo(1);
    assertThat(python.verify(python.export(SAMPLE), key, pins).status()).isEqualTo(1);
  }

  @Test
  void itFindsForgedSignatures() throws Exception {
    LedgerWriter ledger = new LedgerWriter(SEED);
    SignedRound round =
        new SignedRound(ledger, "signed", 1, 1, RoundEntry.SignatureRule.OFFERED)
            .keys()
            .open()
            .decide()
            .sign(0, 1, 2);
    List<Entry> entries = ledger.entries();
    PythonVerifier python = new PythonVerifier(directory);
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) instanceof RoundEntry.Proposed) {
        python.verifyChanged(ledger.bytes(), i, text -> text.replace("supports", "refutes"));
      } else if (entries.get(i) instanceof RoundEntry.Signed) {
        String other = round.line(3).signature();
        python.verifyChanged(
            ledger.bytes(),
            i,
            text -> text.replaceAll("signature\":\"[^\"]+", "signature\":\"" + other));
      }
    }
  }

  @Test
  void itReproducesRoundsOfRandomVectors() throws Exception {
    LedgerWriter ledger = new LedgerWriter(SEED);
    Random random = new Random(SEED);
    for (int i = 0; i < ROUNDS; i++) {
      random(ledger, random, i);
    }
    RecomputationReport.Rounds ours = RecomputationTest.recompute(ledger.bytes()).rounds();
    assertThat(ours.semanticCommits()).isGreaterThan(5);
    assertThat(ours.verdictCommits()).isGreaterThan(5);
    assertThat(ours.aborts()).isGreaterThan(5);
    sameCounts(ledger.bytes());
  }

  /** Vectors of few and small entries, so that cosines and sums are often equal. */
  private static void random(LedgerWriter ledger, Random random, int number) {
    int members = 1 + random.nextInt(RoundSpec.MAX_MEMBERS);
    int faults = random.nextInt(Math.max(1, members / 3) + 1);
    double[] least = {0.5, 0.9, 0.99, -0.5, 1e-9};
    Encoding encoding = new Encoding("enc", 3, least[random.nextInt(least.length)]);
    RoundId id = new RoundId("random-" + number, 1);
    RoundSpec spec =
        new RoundSpec(
            id.bound(),
            faults,
            RoundWriter.members(members),
            encoding,
            random.nextInt(2),
            random.nextInt(3) > 0,
            random.nextBoolean() ? Agreement.VECTORS : Agreement.CRITICAL);
    RoundWriter round = new RoundWriter(ledger, id, spec, number).open();
    int spread = random.nextInt(3);
    for (int agent = 0; agent < members; agent++) {
      String verdict = random.nextInt(6) == 0 ? "refutes" : "supports";
      if (random.nextInt(9) > 0) {
        ledger.append(round.proposed(agent, verdict, "a" + agent, meaning(random, spread)));
      }
      if (random.nextInt(20) == 0) {
        ledger.append(round.proposed(agent, verdict, "b" + agent, meaning(random, spread)));
      }
    }
    ledger.counts(
        spec.agreement() == Agreement.VECTORS
            ? round.sealed(SealCause.DEADLINE)
            : round.sealed(SealCause.DEADLINE, differs(random, spec.members())));
    if (!round.record().proposals().isEmpty()) {
      round.decide();
    }
  }

  private static String differs(Random random, List<String> members) {
    List<CriticalDifference> differences = new ArrayList<>();
    for (String one : members) {
      for (String other : members) {
        if (one.compareTo(other) < 0 && random.nextInt(3 * members.size()) == 0) {
          differences.add(new CriticalDifference(one, other, "negation_changed"));
        }
      }
    }
    return CriticalDifference.text(differences);
  }

  @Test
  void itReproducesRoundsOfLists_andFindsLiesAboutClaims() throws Exception {
    LedgerWriter ledger = new LedgerWriter(SEED);
    Random random = new Random(SEED);
    for (int i = 0; i < ROUNDS / 2; i++) {
      lists(ledger, random, i);
    }
    sameCounts(ledger.bytes());
    List<Entry> entries = ledger.entries();
    int ofClaims = 0;
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) instanceof RoundEntry.Decided decided && decided.claims().isPresent()) {
        ofClaims++;
        if (ofClaims == 1) {
          PythonVerifier python = new PythonVerifier(directory);
          Run claims =
              python.verifyChanged(
                  ledger.bytes(), i, text -> text.replaceAll("(\"claims\":\"\\S+) .", "$1 8"));
          assertThat(claims.status()).isEqualTo(1);
          Run listed =
              python.verifyChanged(
                  ledger.bytes(), i - 1, text -> text.replaceAll(";a[^;]+\"", "\""));
          assertThat(listed.status()).isEqualTo(1);
        }
      }
    }
    assertThat(ofClaims).isGreaterThan(5);
  }

  @Test
  void itChecksProofWithTheMembersKeysAlone() throws Exception {
    LedgerWriter ledger = new LedgerWriter(SEED);
    SignedRound round = new SignedRound(ledger, "proof", 1, 1, SignatureRule.OFFERED).keys().open();
    ledger.counts(round.proposal(0, SignedRound.YES, "one", round.round.near(0)));
    ledger.counts(round.proposal(0, "refutes", "other", round.round.near(0)));
    EquivocationProof proof = EquivocationProof.in(round.round.record(), "agent-0").orElseThrow();
    String same = new EquivocationProof("agent-0", proof.first(), proof.first()).text();
    PythonVerifier python = new PythonVerifier(directory);
    List<String> key = List.of(SignedRound.key(0).verifier().format());
    assertThat(python.proofs(proof.text() + proof.text(), key).status()).isZero();
    assertThat(python.proofs(proof.text() + same, key).status()).isEqualTo(1);
    assertThat(python.proofs(proof.text().replace("agent-0", "agent-1"), key).status())
        .isEqualTo(1);
    assertThat(python.proofs("", key).status()).isEqualTo(1);
    assertThat(
            python.proofs(proof.text(), List.of(SignedRound.key(1).verifier().format())).status())
        .isEqualTo(1);
  }

  /** Rounds whose members list letters; some that are alike are held to be different. */
  private static void lists(LedgerWriter ledger, Random random, int number) {
    int faults = random.nextInt(3);
    RoundId id = new RoundId("list-" + number, 1);
    List<String> members = RoundWriter.members(3 * faults + 1 + random.nextInt(2));
    RoundSpec spec =
        new RoundSpec(
            id.bound(), faults, members, new Encoding("enc", 3, 0.5), 0, true, Agreement.CRITICAL);
    RoundWriter round = new RoundWriter(ledger, id, spec, number).open();
    TextComparison.Pairs pairs = new TextComparison.Pairs();
    List<List<String>> lists = new ArrayList<>();
    for (int agent = 0; agent < members.size(); agent++) {
      List<String> list = new ArrayList<>(List.of("a", "b", "c", "d", "d", "own " + agent));
      Collections.shuffle(list, random);
      lists.add(list.subList(0, 2 + random.nextInt(4)));
      ledger.counts(round.proposed(agent, "supports", String.join("; ", list), meaning(random, 1)));
      for (int other = 0; other < agent; other++) {
        pairs.add(
            members.get(agent),
            members.get(other),
            found(lists.get(agent), lists.get(other), random));
      }
    }
    TextComparison compared = pairs.all();
    String differs = CriticalDifference.text(compared.differences());
    ledger.counts(
        compared.listed().matches().isEmpty()
            ? round.sealed(SealCause.COMPLETE, differs)
            : round.sealed(SealCause.COMPLETE, differs, compared.listed().text()));
    round.decide();
  }

  private static ListComparer.Found found(List<String> here, List<String> there, Random random) {
    List<ListComparer.Same> same = new ArrayList<>();
    for (int i = 0; i < here.size(); i++) {
      int at = there.indexOf(here.get(i));
      if (at >= 0
          && random.nextInt(12) > 0
          && same.stream().noneMatch(known -> known.second() == at)) {
        same.add(new ListComparer.Same(i, at));
      }
    }
    return new ListComparer.Found(
        Optional.of(random.nextInt(30) == 0 ? "word_changed" : CriticalDifference.OTHER_ITEMS),
        here,
        there,
        same);
  }

  @Test
  void whatAReaderOfPairsHoldsToBeTheSame_isOneCoreInBothLanguages() throws Exception {
    LedgerWriter ledger = new LedgerWriter(SEED);
    RoundId id = new RoundId("read", 1);
    List<String> members = RoundWriter.members(4);
    RoundSpec spec =
        new RoundSpec(
            id.bound(), 1, members, new Encoding("enc", 3, 0.5), 0, true, Agreement.CRITICAL);
    RoundWriter round = new RoundWriter(ledger, id, spec, 1);
    RoundEntry.Opened bare = round.opened();
    ledger.counts(
        new RoundEntry.Opened(
            id,
            spec,
            bare.encoderSha256(),
            Optional.of(Digest.of("manifest of a reader")),
            bare.subjectSha256(),
            bare.signatures(),
            bare.deadlineMs(),
            bare.atMs()));
    Meaning near = new Meaning.Vector(QuantVector.of(new double[] {3, 1, 0}, 3).orElseThrow());
    List<CriticalDifference> differences = new ArrayList<>();
    for (int agent = 0; agent < members.size(); agent++) {
      ledger.counts(round.proposed(agent, "supports", "in words of " + agent, near));
      for (int other = 0; other < agent; other++) {
        String kind = other == 0 ? "contradicted" : CriticalDifference.ENTAILED;
        differences.add(CriticalDifference.between(members.get(other), members.get(agent), kind));
      }
    }
    ledger.counts(round.sealed(SealCause.COMPLETE, CriticalDifference.text(differences)));
    round.decide();
    sameCounts(ledger.bytes());
    List<Entry> entries = ledger.entries();
    assertThat(entries.getLast())
        .isInstanceOfSatisfying(
            RoundEntry.Decided.class,
            decided -> assertThat(decided.core()).containsExactly("agent-1", "agent-2", "agent-3"));
    Run changed =
        new PythonVerifier(directory)
            .verifyChanged(
                ledger.bytes(),
                entries.size() - 2,
                text -> text.replace(CriticalDifference.ENTAILED, "other_wording"));
    assertThat(changed.status()).isEqualTo(1);
  }

  private static Meaning meaning(Random random, int spread) {
    if (random.nextInt(25) == 0) {
      return random.nextBoolean() ? Meaning.MALFORMED : Meaning.UNENCODED;
    }
    double[] vector = {
      3, random.nextInt(2 * spread + 1) - spread, random.nextInt(2 * spread + 1) - spread
    };
    return new Meaning.Vector(QuantVector.of(vector, vector.length).orElseThrow());
  }

  @Test
  void itFindsSignedLies() throws Exception {
    changed(
        entry -> isDecided(entry, "semantic_commit"),
        text -> text.replaceAll("\"digest\":\"..", "\"digest\":\"00"));
    changed(
        entry -> isDecided(entry, "semantic_commit"),
        text -> text.replace("\"minCos\":0.9", "\"minCos\":0.8"));
    changed(
        entry -> isDecided(entry, "verdict_commit"),
        text -> text.replaceAll("\"documentSha256\":\"..", "\"documentSha256\":\"00"));
    changed(
        entry -> isDecided(entry, "abort"),
        text -> text.replace("VERDICT_TIE", "NO_VERDICT_QUORUM"));
    changed(
        entry -> entry instanceof RoundEntry.Proposed,
        text -> text.replace("\"supports\"", "\"refutes\""));
    changed(
        entry -> entry instanceof RoundEntry.Proposed,
        text -> text.replaceAll("\"vector\":\"...", "\"vector\":\"AAA"));
    changed(
        entry -> entry instanceof RoundEntry.Opened,
        text -> text.replace("\"cosMin\":0.9", "\"cosMin\":0.91"));
    Predicate<Entry> comparing =
        entry ->
            entry instanceof RoundEntry.Sealed sealed
                && sealed.id().round().equals("compared-apart");
    changed(comparing, text -> text.replaceAll("\"differs\":\"[^\"]+", "\"differs\":\""));
    changed(comparing, text -> text.replace("agent-0 agent-1", "agent-1 agent-0"));
    changed(
        entry -> entry instanceof RoundEntry.Sealed sealed && sealed.id().round().equals("expired"),
        text -> text.replace("deadline", "complete"));
    changed(
        entry -> entry instanceof RoundEntry.Opened opened && opened.id().epoch() == 2,
        text -> text.replace("\"epoch\":2", "\"epoch\":3"));
  }

  @Test
  void itRefusesEntriesThatWeRefuse() throws Exception {
    Predicate<Entry> opened = entry -> entry instanceof RoundEntry.Opened;
    Predicate<Entry> proposed = entry -> entry instanceof RoundEntry.Proposed;
    changed(opened, text -> text.replace("\"cosMin\":0.9", "\"cosMin\":1.9"));
    changed(opened, text -> text.replace("\"agent-1\"", "\"agent-0\""));
    changed(opened, text -> text.replaceAll("\"encoderSha256\":\"[0-9a-f]+\",", ""));
    changed(proposed, text -> text.replace("\"agent-0\"", "\"agent 0\""));
    changed(proposed, text -> text.replaceAll("\"vector\":\"[^\"]+", "\"vector\":\"AAA="));
    changed(
        proposed, text -> text.replaceAll("\"vector\":\"[^\"]+", "\"vector\":\"" + "A".repeat(24)));
  }

  /** Each vector's round with the outcome that it names, from the verifier's own geometry. */
  private static final List<String> GOLDEN =
      """
      import hashlib, json, math, sys
      sys.path.insert(0, sys.argv[1])
      import verify_ledger as verifier

      def quantised(x, dim):
          x = [float(one) for one in x]
          if len(x) != dim or not all(map(math.isfinite, x)):
              return "malformed"
          total = 0.0
          for one in x:
              total += one * one
          norm = math.sqrt(total)
          if not 1e-9 <= norm < math.inf:
              return "malformed"
          return tuple(round(one / norm * verifier.SCALE) for one in x)

      checked = 0
      for vector in json.load(open(sys.argv[2]))["vectors"]:
          given, wanted = vector["in"], vector["out"]
          if wanted["outcome"] == "error":
              continue
          spec = {"round": given["round"], "members": given["members"], "faults": given["f"],
                  "encoder": given["encoder"], "dim": given["dim"],
                  "cosMin": float(given["cos_min"]), "extraMargin": given.get("extra_margin", 0),
                  "fallback": given.get("verdict_fallback", True)}
          proposals = []
          for one in given["proposals"]:
              named = verifier.NAME.fullmatch(one["verdict"])
              meaning = quantised(one["embedding"], given["dim"]) if named else "malformed"
              text = hashlib.sha256(one["text"].encode()).hexdigest()
              proposals.append((one["agent"], one["verdict"], text, meaning))
          names = {"outcome": "outcome", "reason": "reason", "delivered": "delivered",
                   "support": "support", "runner_up": "runnerUp", "core": "core",
                   "min_cos": "minCos", "digest": "digest"}
          expected = {ours: wanted[name] for name, ours in names.items() if wanted[name] is not None}
          if wanted["outcome"] != "abort":
              expected["verdict"] = wanted["verdict"]
          found = verifier.hcsc(spec, proposals)
          assert found == expected, (vector["id"], found, expected)
          checked += 1
      print("agrees with", checked)
      """
          .lines()
          .toList();

  @Test
  void itAgreesWithEveryGoldenRound() throws Exception {
    Path golden =
        PythonVerifier.besideTheModules("policy/src/test/resources/golden/hcsc-rounds.json");
    Run run = new PythonVerifier(directory).program(GOLDEN, List.of(golden.toString()));
    assertThat(run.output()).isEqualTo("agrees with 53\n");
    assertThat(run.status()).isZero();
  }
}
