package dev.parlance.ledger.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.note.Checkpoint;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.tree.CompactRange;
import dev.parlance.ledger.tree.ConsistencyProof;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.Hashing;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class WitnessTest {
  private static final SignerKey LOG = SignerKey.generate("log.example", KeyType.ED25519);
  private static final SignerKey OWN = SignerKey.generate("witness.example", KeyType.COSIGNATURE);
  private static final long NOW = 1_700_000_000;

  private final Witness witness = new Witness(LOG.verifier(), OWN);

  private static Hash node(int level, long index) {
    if (level == 0) {
      return Hashing.leaf(new byte[] {(byte) index});
    }
    return Hashing.node(node(level - 1, 2 * index), node(level - 1, 2 * index + 1));
  }

  private static SignedCheckpoint head(long size) throws Exception {
    Hash root = CompactRange.load(size, WitnessTest::node).root();
    return SignedCheckpoint.sign(new Checkpoint(LOG.name(), size, root), LOG);
  }

  private static List<Hash> proof(long from, long to) throws Exception {
    return ConsistencyProof.build(from, to, WitnessTest::node).path();
  }

  private Witness.Refusal refusal(
      Optional<SignedCheckpoint> held, SignedCheckpoint next, List<Hash> proof) {
    return switch (witness.decide(held, next.bytes(), proof, NOW)) {
      case Witness.Answer.Refused refused -> refused.refusal();
      case Witness.Answer.Cosigned cosigned -> throw new AssertionError("cosigned " + cosigned);
    };
  }

  @Test
  void growingLog_isCosignedStepByStep() throws Exception {
    Optional<SignedCheckpoint> held = Optional.empty();
    long before = 0;
    for (long size : new long[] {0, 0, 1, 5, 5, 8, 100}) {
      Witness.Answer answer = witness.decide(held, head(size).bytes(), proof(before, size), NOW);
      assertThat(answer).isInstanceOf(Witness.Answer.Cosigned.class);
      Witness.Answer.Cosigned cosigned = (Witness.Answer.Cosigned) answer;
      assertThat(
              OWN.verifier().verifies(cosigned.checkpoint().note().text(), cosigned.cosignature()))
          .isTrue();
      held = Optional.of(cosigned.checkpoint());
      before = size;
    }
  }

  @Test
  void whatDoesNotExtendTheHeldCheckpoint_isRefusedByCode() throws Exception {
    Optional<SignedCheckpoint> held = Optional.of(head(5));
    SignedCheckpoint forged =
        SignedCheckpoint.sign(new Checkpoint(LOG.name(), 5, Hashing.EMPTY_ROOT), LOG);
    assertThat(refusal(held, head(4), List.of())).isEqualTo(Witness.Refusal.SMALLER);
    assertThat(refusal(held, forged, List.of())).isEqualTo(Witness.Refusal.SAME_SIZE_OTHER_ROOT);
    assertThat(refusal(held, head(9), List.of())).isEqualTo(Witness.Refusal.NOT_CONSISTENT);
    assertThat(refusal(held, head(9), proof(4, 9))).isEqualTo(Witness.Refusal.NOT_CONSISTENT);
    assertThat(refusal(Optional.empty(), head(9), proof(5, 9)))
        .isEqualTo(Witness.Refusal.NOT_CONSISTENT);
    SignerKey stranger = SignerKey.generate(LOG.name(), KeyType.ED25519);
    SignedCheckpoint foreign = SignedCheckpoint.sign(head(9).checkpoint(), stranger);
    assertThat(refusal(held, foreign, proof(5, 9))).isEqualTo(Witness.Refusal.NOT_SIGNED);
  }
}
