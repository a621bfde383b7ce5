package dev.parlance.ledger.record;

import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Entries of one round, as a control plane writes them. */
final class RoundWriter {
  static final int DIM = 8;
  static final Encoding ENCODING = new Encoding("enc:test", DIM, 0.9);
  static final String HEX = "ab".repeat(32);

  private final LedgerWriter ledger;
  final RoundId id;
  private final RoundSpec spec;
  private final Random random;

  RoundWriter(LedgerWriter ledger, RoundId id, RoundSpec spec, long seed) {
    this.ledger = ledger;
    this.id = id;
    this.spec = spec;
    this.random = new Random(seed);
  }

  static RoundSpec spec(RoundId id, int faults, int members, Encoding encoding) {
    return new RoundSpec(id.bound(), faults, members(members), encoding, 0, true);
  }

  /** With an encoder of eight dimensions, verdict commits allowed. */
  static RoundWriter of(LedgerWriter ledger, String name, long epoch, int faults, int members) {
    RoundId id = new RoundId(name, epoch);
    return new RoundWriter(ledger, id, spec(id, faults, members, ENCODING), epoch);
  }

  static List<String> members(int count) {
    return java.util.stream.IntStream.range(0, count).mapToObj(i -> "agent-" + i).toList();
  }

  RoundEntry.Opened opened() {
    return new RoundEntry.Opened(
        id,
        spec,
        spec.encoding().isPresent() ? Optional.of(HEX) : Optional.empty(),
        Optional.of(Digest.of("the subject")),
        ledger.now() + 5000,
        ledger.now());
  }

  /** A meaning near to one of a few directions. */
  Meaning near(int direction) {
    double[] vector = new double[DIM];
    for (int i = 0; i < DIM; i++) {
      vector[i] = (i == direction ? 1.0 : 0.0) + 0.05 * random.nextGaussian();
    }
    return new Meaning.Vector(QuantVector.of(vector, DIM).orElseThrow());
  }

  RoundEntry.Proposed proposed(int agent, String verdict, String text, Meaning meaning) {
    return new RoundEntry.Proposed(
        id,
        "agent-" + agent,
        verdict,
        Digest.of(text),
        meaning,
        Digest.of("message of " + text),
        "execute",
        "d-" + agent,
        ledger.now());
  }

  /** A seal that compares texts. */
  RoundEntry.Sealed sealed(SealCause cause, String differs) {
    return new RoundEntry.Sealed(id, cause, Optional.of(differs), Optional.empty(), ledger.now());
  }

  /** A seal that says what texts list as well. */
  RoundEntry.Sealed sealed(SealCause cause, String differs, String listed) {
    return new RoundEntry.Sealed(
        id, cause, Optional.of(differs), Optional.of(listed), ledger.now());
  }

  RoundEntry.Sealed sealed(SealCause cause) {
    return new RoundEntry.Sealed(id, cause, ledger.now());
  }

  RoundRecord record() {
    return ledger.state().round(id).orElseThrow();
  }

  /** What a control plane that is honest writes. */
  RoundEntry.Decided decided() {
    return RoundDecision.of(record(), ledger.now()).orElseThrow();
  }

  // ---- whole pieces ----

  RoundWriter open() {
    ledger.counts(opened());
    return this;
  }

  RoundWriter propose(int agent, String verdict, int direction) {
    ledger.counts(proposed(agent, verdict, "reason of " + agent, near(direction)));
    return this;
  }

  RoundWriter seal(SealCause cause) {
    ledger.counts(sealed(cause));
    return this;
  }

  RoundWriter decide() {
    ledger.counts(decided());
    return this;
  }
}
