package dev.parlance.ledger.record;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.Checks.RoundChecks;
import dev.parlance.ledger.record.RoundOutcome.Signing;
import dev.parlance.policy.commit.CriticalDifference;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.ListedClaims;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import dev.parlance.policy.commit.TextComparison;
import dev.parlance.policy.text.Coded;
import java.util.Collection;
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
   * @param readerSha256 hex SHA-256 of the manifest of the reader of pairs, if there is one
   * @param subjectSha256 hex SHA-256 of the UTF-8 text that is decided about, if it is fixed
   * @param signatures whether members sign what they propose and the outcome; absent in rounds of
   *     older control planes, in which nobody does
   * @param deadlineMs when it is sealed at the latest, milliseconds since the epoch by the store's
   *     clock; for people, the seal decides
   */
  record Opened(
      RoundId id,
      RoundSpec spec,
      Optional<String> encoderSha256,
      Optional<String> readerSha256,
      Optional<String> subjectSha256,
      Optional<SignatureRule> signatures,
      long deadlineMs,
      long atMs)
      implements RoundEntry {
    /** Refuses digests that are none, and a spec of another round. */
    public Opened {
      encoderSha256.ifPresent(Digest::checked);
      readerSha256.ifPresent(Digest::checked);
      subjectSha256.ifPresent(Digest::checked);
      Checks.atLeast(0, deadlineMs, "deadlineMs");
      Checks.atLeast(0, atMs, "atMs");
      if (!spec.round().equals(id.bound())) {
        throw new IllegalArgumentException("expected constants of " + id + ", got " + spec);
      }
      if (encoderSha256.isPresent() != spec.encoding().isPresent()) {
        throw new IllegalArgumentException("expected the manifest's digest exactly with encoder");
      }
      if (readerSha256.isPresent() && spec.agreement() != RoundSpec.Agreement.CRITICAL) {
        throw new IllegalArgumentException("expected a reader only where texts are compared");
      }
    }

    /** Of a round whose texts nobody reads two by two. */
    public Opened(
        RoundId id,
        RoundSpec spec,
        Optional<String> encoderSha256,
        Optional<String> subjectSha256,
        Optional<SignatureRule> signatures,
        long deadlineMs,
        long atMs) {
      this(id, spec, encoderSha256, Optional.empty(), subjectSha256, signatures, deadlineMs, atMs);
    }

    /** Of a round in which nobody signs. */
    public Opened(
        RoundId id,
        RoundSpec spec,
        Optional<String> encoderSha256,
        Optional<String> subjectSha256,
        long deadlineMs,
        long atMs) {
      this(id, spec, encoderSha256, subjectSha256, Optional.empty(), deadlineMs, atMs);
    }

    /** How texts become vectors. */
    public Encoding encoding() {
      return spec.encoding();
    }
  }

  /** Whether members sign what they propose. The codes are stable. */
  enum SignatureRule implements Coded {
    /** Those that have a key do. */
    OFFERED,
    /** A proposal without signature counts for nothing. */
    REQUIRED
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
   * @param signature of the member's key on {@link ProposalStatement}, in base64 as signed notes
   *     have it
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
      Optional<String> signature,
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
      signature.ifPresent(text -> RoundChecks.signature(agent, text));
      Checks.atLeast(0, atMs, "atMs");
    }

    /** Unsigned. */
    public Proposed(
        RoundId id,
        String agent,
        String verdict,
        String textSha256,
        Meaning meaning,
        String messageSha256,
        String route,
        String decision,
        long atMs) {
      this(
          id,
          agent,
          verdict,
          textSha256,
          meaning,
          messageSha256,
          route,
          decision,
          Optional.empty(),
          atMs);
    }

    /** What its member signs. */
    public ProposalStatement statement() {
      return ProposalStatement.of(id, agent, verdict, textSha256, meaning);
    }
  }

  /**
   * The round takes no more proposals.
   *
   * @param differs what is critical between texts of members, as {@link CriticalDifference#text}
   *     writes it; present exactly in rounds whose agreement asks for it
   * @param listed what texts list, as {@link ListedClaims#text} writes it; absent where it is no
   *     matter, and without {@code differs}
   */
  record Sealed(
      RoundId id, SealCause cause, Optional<String> differs, Optional<String> listed, long atMs)
      implements RoundEntry {
    /** Refuses an impossible time, and differences and claims that are none. */
    public Sealed {
      differs.ifPresent(CriticalDifference::parse);
      listed.ifPresent(ListedClaims::parse);
      if (listed.isPresent() && (differs.isEmpty() || listed.get().isEmpty())) {
        throw new IllegalArgumentException("expected claims where texts are compared, or none");
      }
      Checks.atLeast(0, atMs, "atMs");
    }

    /** Of a round in which texts are not compared. */
    public Sealed(RoundId id, SealCause cause, long atMs) {
      this(id, cause, Optional.empty(), Optional.empty(), atMs);
    }

    /** What was found between the texts of members. */
    public TextComparison compared() {
      return new TextComparison(
          differs.map(CriticalDifference::parse).orElse(List.of()),
          listed.map(ListedClaims::parse).orElse(ListedClaims.NONE));
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
   * @param claims what the core has in common where its texts differ in what they list, as {@link
   *     dev.parlance.policy.commit.Outcome.CommonClaim#text} writes it
   * @param digest hex digest of a commit
   * @param signatures whose word it is; absent where nobody signs
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
      Optional<String> claims,
      Optional<String> digest,
      Optional<Signing> signatures,
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
      if (claims.isPresent() && !outcome.equals(RoundChecks.SEMANTIC_COMMIT)) {
        throw new IllegalArgumentException("expected claims of a semantic commit only");
      }
      Digest.checked(documentSha256);
      Checks.atLeast(0, atMs, "atMs");
    }
  }

  /**
   * A member has recomputed the outcome and signs it.
   *
   * @param agent who
   * @param documentSha256 that of the decision
   * @param signature of the member's key on the outcome note's text, in base64 as signed notes have
   *     it
   */
  record Signed(RoundId id, String agent, String documentSha256, String signature, long atMs)
      implements RoundEntry {
    /** Refuses names, digests and signatures that are none. */
    public Signed {
      if (!RoundNames.isName(agent)) {
        throw new IllegalArgumentException("expected a name, got " + agent);
      }
      Digest.checked(documentSha256);
      RoundChecks.signature(agent, signature);
      Checks.atLeast(0, atMs, "atMs");
    }
  }

  /**
   * What a member signs of its proposal: the line {@code parlance-proposal-1} and an object of
   * these members, each line ended by a newline. The round and its epoch are in it, so it counts in
   * no other one.
   *
   * @param agent the member
   * @param verdict its verdict
   * @param textSha256 hex SHA-256 of the rationale
   * @param vectorSha256 hex SHA-256 of the bytes of its vector
   * @param fault code of why there is no vector; present exactly where there is none
   */
  record ProposalStatement(
      RoundId id,
      String agent,
      String verdict,
      String textSha256,
      Optional<String> vectorSha256,
      Optional<String> fault) {
    private static final String HEADER = "parlance-proposal-1\n";

    /** Refuses digests that are none. */
    public ProposalStatement {
      Digest.checked(textSha256);
      vectorSha256.ifPresent(Digest::checked);
      if (vectorSha256.isPresent() == fault.isPresent()) {
        throw new IllegalArgumentException("expected a vector, or why there is none");
      }
    }

    /** The statement on a proposal. */
    public static ProposalStatement of(
        RoundId id, String agent, String verdict, String textSha256, Meaning meaning) {
      return meaning instanceof Meaning.Vector(QuantVector vector)
          ? new ProposalStatement(
              id,
              agent,
              verdict,
              textSha256,
              Optional.of(Digest.of(vector.toBytes())),
              Optional.empty())
          : new ProposalStatement(
              id, agent, verdict, textSha256, Optional.empty(), Optional.of(meaning.code()));
    }

    /** The text that is signed. */
    public String text() {
      StringBuilder out = new StringBuilder(384).append(HEADER);
      RecordForm.write(new JsonLine(out), this).end();
      return out.append('\n').toString();
    }

    /** Reads {@link #text}; empty for anything else. */
    public static Optional<ProposalStatement> parse(String text) {
      return CoreNote.document(
          text,
          HEADER,
          json -> RecordForm.read(ProposalStatement.class, JsonMembers.of(json)),
          ProposalStatement::text,
          Optional::of,
          (_, _) -> Optional.empty());
    }

    /** Base64 of the member's signature. */
    public String sign(SignerKey key) {
      return Note.sign(text(), key).signatures().getFirst().base64();
    }

    /** Whether one of these keys has signed it. */
    public boolean isSignedBy(String signature, Collection<VerifierKey> keys) {
      Optional<NoteSignature> line = NoteSignature.of(agent, signature);
      String text = text();
      return line.isPresent() && keys.stream().anyMatch(key -> key.verifies(text, line.get()));
    }

    /** Whether it is another proposal than this one, not the same with another vector. */
    public boolean contradicts(ProposalStatement other) {
      return id.equals(other.id)
          && agent.equals(other.agent)
          && !(verdict.equals(other.verdict) && textSha256.equals(other.textSha256));
    }
  }
}
