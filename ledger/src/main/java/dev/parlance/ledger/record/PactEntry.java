package dev.parlance.ledger.record;

import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.policy.commit.RoundId.RoundNames;
import java.util.Base64;
import java.util.Optional;

/**
 * Entries about pacts. What counts is decided by their order on the ledger alone: the first
 * attestation of a pact, the ends that follow it, the newest count of each observer. Members named
 * {@code note} are signed notes in base64.
 */
public sealed interface PactEntry extends Entry {
  /** Most bytes of a note, so that it fits into an entry. */
  int MAX_NOTE_BYTES = 45_000;

  /** Longest time that a key counts beside its successor, in milliseconds: a day. */
  long MAX_OVERLAP_MS = 86_400_000;

  /**
   * The key of a party, from here on. The one before it counts for a while as well.
   *
   * @param party whose key
   * @param vkey the public key in the text form of signed notes; its name is the party
   * @param overlapMs for how long after {@code atMs} the key before it goes on counting
   */
  record PartyKey(String party, String vkey, long overlapMs, long atMs) implements PactEntry {
    /** Refuses a key that is none or of another name. */
    public PartyKey {
      checkName(party);
      boolean isKey =
          VerifierKey.parse(vkey) instanceof Parsed.Ok<VerifierKey>(VerifierKey key)
              && key.type() == KeyType.ED25519
              && key.name().equals(party);
      if (!isKey || overlapMs < 0 || overlapMs > MAX_OVERLAP_MS) {
        throw new IllegalArgumentException("expected an Ed25519 key of " + party + ", got " + vkey);
      }
      Checks.atLeast(0, atMs, "atMs");
    }

    /** The key. */
    public VerifierKey key() {
      return VerifierKey.parse(vkey) instanceof Parsed.Ok<VerifierKey>(VerifierKey key)
          ? key
          : impossible(vkey);
    }
  }

  /**
   * A template, published by its author.
   *
   * @param name of the template
   * @param version from 1
   * @param sha256 hex SHA-256 of the note's text
   */
  record TemplatePut(String name, int version, String author, String sha256, String note, long atMs)
      implements PactEntry {
    /** Refuses names, digests and notes that are none. */
    public TemplatePut {
      checkName(name);
      checkName(author);
      Checks.atLeast(1, version, "version");
      Digest.checked(sha256);
      decoded(note);
      Checks.atLeast(0, atMs, "atMs");
    }

    /** {@code AUTHOR/NAME@VERSION}: nobody takes another's name. */
    public String reference() {
      return author + "/" + name + "@" + version;
    }
  }

  /**
   * A pact that both parties have signed.
   *
   * @param sha256 hex SHA-256 of the note's text
   * @param attester the party that has brought it
   */
  record Attested(String pact, String sha256, String attester, String note, long atMs)
      implements PactEntry {
    /** Refuses names, digests and notes that are none. */
    public Attested {
      checkName(pact);
      checkName(attester);
      Digest.checked(sha256);
      decoded(note);
      Checks.atLeast(0, atMs, "atMs");
    }
  }

  /**
   * What the sidecar of one party has counted of the other's messages, all of them up to now.
   *
   * @param observer whose sidecar
   */
  record Observed(String pact, String observer, String note, long atMs) implements PactEntry {
    /** Refuses names and notes that are none. */
    public Observed {
      checkName(pact);
      checkName(observer);
      decoded(note);
      Checks.atLeast(0, atMs, "atMs");
    }
  }

  /**
   * The end of a pact, or one party's word for an end that both must say.
   *
   * @param by the party whose signed word it is; {@code control} for the end of its time; {@code
   *     arbiter:NAME} for the decision of a dispute
   * @param reason code
   * @param responsible the party that answers for it
   * @param note the signed word of the party or the arbiter; absent exactly where it is nobody's
   */
  record Dissolved(
      String pact,
      String by,
      String reason,
      Optional<String> responsible,
      Optional<String> note,
      long atMs)
      implements PactEntry {
    /** Who ends pacts whose time is over. */
    public static final String CONTROL = "control";

    /** What stands before the name of who decides a dispute. */
    public static final String ARBITER = "arbiter:";

    /** Refuses names and notes that are none. */
    public Dissolved {
      checkName(pact);
      checkName(by);
      Checks.code(reason);
      responsible.ifPresent(PactEntry::checkName);
      note.ifPresent(PactEntry::decoded);
      Checks.atLeast(0, atMs, "atMs");
    }

    /** Who says so: a party, the arbiter, or {@link #CONTROL}. */
    public String speaker() {
      return isDecision() ? by.substring(ARBITER.length()) : by;
    }

    /** True if it decides a dispute. */
    public boolean isDecision() {
      return by.startsWith(ARBITER);
    }
  }

  /**
   * A complaint about a negotiation that came to nothing.
   *
   * @param reporter who complains
   */
  record Reported(String negotiation, String reporter, String note, long atMs)
      implements PactEntry {
    /** Refuses names and notes that are none. */
    public Reported {
      checkName(negotiation);
      checkName(reporter);
      decoded(note);
      Checks.atLeast(0, atMs, "atMs");
    }
  }

  /** A note as entries hold it. */
  static String encoded(byte[] note) {
    return Base64.getEncoder().encodeToString(note);
  }

  /** The bytes of a note; refuses what is no base64 in its one form, or too large. */
  static byte[] decoded(String note) {
    byte[] bytes = Base64.getDecoder().decode(note);
    if (bytes.length > MAX_NOTE_BYTES || !encoded(bytes).equals(note)) {
      throw new IllegalArgumentException(
          "expected at most " + MAX_NOTE_BYTES + " bytes in canonical base64");
    }
    return bytes;
  }

  private static void checkName(String name) {
    if (!RoundNames.isName(name)) {
      throw new IllegalArgumentException("expected a name, got " + name);
    }
  }

  private static VerifierKey impossible(String vkey) {
    throw new IllegalStateException("checked before: " + vkey);
  }
}
