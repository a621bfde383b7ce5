package dev.parlance.ledger.record;

import dev.parlance.ledger.record.Checks.RoundChecks;
import dev.parlance.policy.commit.CriticalDifference;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Entries of rounds (H-CSC). What counts is decided by their order on the ledger alone: the first
 * opening of an epoch, the proposals between it and the first seal, and what follows from them.
 */
public sealed interface RoundEntry extends Entry {
  /** Which round and epoch. */
  RoundId id();

  /**
   * A round takes proposals from here on. An epoch above 1 can be opened once the one before has
   * ended in an abort.
   *
   * @param encoderSha256 hex SHA-256 of the encoder's manifest; absent exactly without encoder
   * @param subjectSha256 hex SHA-256 of the UTF-8 text that is decided about, if it is fixed
   * @param deadlineMs when it is sealed at the latest, milliseconds since the epoch by the store's
   *     clock; for people, the seal decides
   */
  record Opened(
      RoundId id,
      RoundSpec spec,
      Optional<String> encoderSha256,
      Optional<String> subjectSha256,
      long deadlineMs,
      long atMs)
      implements RoundEntry {
    /** Refuses digests that are none, and a spec of another round. */
    public Opened {
      encoderSha256.ifPresent(Digest::checked);
      subjectSha256.ifPresent(Digest::checked);
      Checks.atLeast(0, deadlineMs, "deadlineMs");
      Checks.atLeast(0, atMs, "atMs");
      if (!spec.round().equals(id.bound())) {
        throw new IllegalArgumentException("expected constants of " + id + ", got " + spec);
      }
      if (encoderSha256.isPresent() != spec.encoding().isPresent()) {
        throw new IllegalArgumentException("expected the manifest's digest exactly with encoder");
      }
    }

    /** How texts become vectors. */
    public Encoding encoding() {
      return spec.encoding();
    }
  }

  /**
   * What a member proposes.
   *
   * @param agent who has sent it, by its sidecar's token
   * @param verdict its verdict, a name
   * @param textSha256 hex SHA-256 of the UTF-8 text of its rationale
   * @param meaning what the text means to the round's encoder
   * @param messageSha256 hex SHA-256 of the message that carried it
   * @param route code of the route that the sender's sidecar decided on
   * @param decision id under which the sidecar's decision log has it
   */
  record Proposed(
      RoundId id,
      String agent,
      String verdict,
      String textSha256,
      Meaning meaning,
      String messageSha256,
      String route,
      String decision,
      long atMs)
      implements RoundEntry {
    /** Refuses names, vectors and digests that are none. */
    public Proposed {
      if (!RoundNames.isName(agent) || !RoundNames.isName(verdict)) {
        throw new IllegalArgumentException("expected names, got " + agent + ", " + verdict);
      }
      if (meaning instanceof Meaning.Vector(QuantVector vector)
          && (vector.dim() > Encoding.MAX_DIM || vector.dot(vector) == 0)) {
        throw new IllegalArgumentException("expected a direction, got one of no length");
      }
      Digest.checked(textSha256);
      Digest.checked(messageSha256);
      Checks.code(route);
      if (!RoundNames.isName(decision)) {
        throw new IllegalArgumentException("expected a decision's id, got " + decision);
      }
      Checks.atLeast(0, atMs, "atMs");
    }
  }

  /**
   * The round takes no more proposals.
   *
   * @param differs what is critical between texts of members, as {@link CriticalDifference#text}
   *     writes it; present exactly in rounds whose agreement asks for it
   */
  record Sealed(RoundId id, SealCause cause, Optional<String> differs, long atMs)
      implements RoundEntry {
    /** Refuses an impossible time, and differences that are none. */
    public Sealed {
      differs.ifPresent(CriticalDifference::parse);
      Checks.atLeast(0, atMs, "atMs");
    }

    /** Of a round in which texts are not compared. */
    public Sealed(RoundId id, SealCause cause, long atMs) {
      this(id, cause, Optional.empty(), atMs);
    }

    /** What is critical between texts of members. */
    public List<CriticalDifference> differences() {
      return differs.map(CriticalDifference::parse).orElse(List.of());
    }
  }

  /**
   * The outcome; everything in it follows from the entries before it.
   *
   * @param outcome {@code semantic_commit}, {@code verdict_commit}, {@code abort}
   * @param reason code of the abort's reason
   * @param verdict the verdict of a commit
   * @param core ids of the core, in byte order; empty for an abort
   * @param minCos semantic commits only
   * @param digest hex digest of a commit
   * @param documentSha256 hex SHA-256 of the outcome note's text ({@link OutcomeNote})
   */
  record Decided(
      RoundId id,
      String outcome,
      Optional<String> reason,
      Optional<String> verdict,
      int delivered,
      int support,
      int runnerUp,
      List<String> core,
      OptionalDouble minCos,
      Optional<String> digest,
      String documentSha256,
      long atMs)
      implements RoundEntry {
    private static final double MOST_COS = 1.0 + 1e-9;

    /** Copies the list, refuses what is no outcome. */
    public Decided {
      core = List.copyOf(core);
      RoundChecks.outcome(outcome, reason, verdict, core, digest);
      RoundChecks.counts(RoundSpec.MAX_MEMBERS, delivered, support, runnerUp);
      if (minCos.isPresent() != outcome.equals(RoundChecks.SEMANTIC_COMMIT)
          || !(Math.abs(minCos.orElse(0.0)) <= MOST_COS)) {
        throw new IllegalArgumentException(
            "expected a smallest cosine exactly for a semantic commit, got " + minCos);
      }
      Digest.checked(documentSha256);
      Checks.atLeast(0, atMs, "atMs");
    }
  }
}
