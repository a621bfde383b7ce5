package dev.parlance.policy.commit;

import dev.parlance.policy.text.Coded;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a round comes to: exactly one of three. */
public sealed interface Outcome {
  /** How the verdicts fell. */
  Count count();

  /** Proposals that counted for nothing, by agent in the order they were found. */
  List<Drop> dropped();

  /** Stable name: {@code semantic_commit}, {@code verdict_commit}, {@code abort}. */
  default String kind() {
    return switch (this) {
      case SemanticCommit _ -> "semantic_commit";
      case VerdictCommit _ -> "verdict_commit";
      case Abort _ -> "abort";
    };
  }

  /**
   * How the verdicts fell; all 0 where it was not looked at.
   *
   * @param delivered d: members left after step 2
   * @param support a: size of the largest verdict group
   * @param runnerUp b: size of the second
   */
  record Count(int delivered, int support, int runnerUp) {
    /** Nothing was looked at. */
    public static final Count NONE = new Count(0, 0, 0);

    /** a - b. */
    public int margin() {
      return support - runnerUp;
    }
  }

  /** Why a proposal counted for nothing. */
  enum DropReason implements Coded {
    /** The agent is no member. */
    UNKNOWN_AGENT,
    /** No usable vector, or a verdict that is no name. */
    MALFORMED,
    /** The agent proposed two different things. */
    EQUIVOCATION
  }

  /** A proposal that counted for nothing. */
  record Drop(String agent, DropReason reason) {}

  /**
   * At least 2f+1 agents back the verdict with one meaning.
   *
   * @param verdict the verdict
   * @param core ids of the agents whose meaning it is, in byte order
   * @param minCos smallest cosine between two of them; 1 if there is one only
   * @param aggregate the direction of the core
   * @param claims what they have in common, where their texts differ in what they list; empty where
   *     they mean the same as wholes
   * @param digest hex SHA-256 (step 7) that binds parameters and: texts, vectors and aggregate; or
   *     the common claims, and nothing else of the texts
   */
  record SemanticCommit(
      String verdict,
      Count count,
      List<String> core,
      double minCos,
      QuantVector aggregate,
      List<CommonClaim> claims,
      String digest,
      List<Drop> dropped)
      implements Outcome {
    /** Copies the lists, refuses a claim that not every one of the core carries. */
    public SemanticCommit {
      core = List.copyOf(core);
      claims = List.copyOf(claims);
      dropped = List.copyOf(dropped);
      for (CommonClaim claim : claims) {
        if (!claim.carriers().stream().map(ListedClaims.Claim::agent).toList().equals(core)) {
          throw new IllegalArgumentException("expected a claim of all of " + core);
        }
      }
    }

    /** Of texts that mean the same as wholes. */
    public SemanticCommit(
        String verdict,
        Count count,
        List<String> core,
        double minCos,
        QuantVector aggregate,
        String digest,
        List<Drop> dropped) {
      this(verdict, count, core, minCos, aggregate, List.of(), digest, dropped);
    }

    /** The common claims as one text, see {@link CommonClaim#text}; empty where there are none. */
    public Optional<String> claimsText() {
      return claims.isEmpty() ? Optional.empty() : Optional.of(CommonClaim.text(claims));
    }
  }

  /**
   * A claim that each member of a core lists, in its own words.
   *
   * @param carriers which claim of each member it is, by member in byte order
   */
  record CommonClaim(List<ListedClaims.Claim> carriers) {
    /** Copies the list. */
    public CommonClaim {
      carriers = List.copyOf(carriers);
    }

    /**
     * Many of them as one text: {@code MEMBER NUMBER SHA256} of each member, parted by commas; the
     * claims by semicolons.
     */
    public static String text(List<CommonClaim> claims) {
      return claims.stream()
          .map(claim ->
              claim.carriers.stream()
                  .map(one -> one.agent() + " " + one.number() + " " + one.sha256())
                  .collect(Collectors.joining(",")))
          .collect(Collectors.joining(";"));
    }
  }

  /**
   * The verdict is clear, the reasons are dispersed.
   *
   * @param verdict the verdict
   * @param core the whole leading group, in byte order
   * @param digest hex SHA-256 that binds parameters, texts and vectors
   */
  record VerdictCommit(
      String verdict, Count count, List<String> core, String digest, List<Drop> dropped)
      implements Outcome {
    /** Copies the lists. */
    public VerdictCommit {
      core = List.copyOf(core);
      dropped = List.copyOf(dropped);
    }
  }

  /** No commit. */
  record Abort(AbortReason reason, Count count, List<Drop> dropped) implements Outcome {
    /** Copies the list. */
    public Abort {
      dropped = List.copyOf(dropped);
    }
  }

  /** Why a round ends without a commit. The codes are stable; the order is that of the checks. */
  enum AbortReason {
    /** n &lt; 3f+1: no protocol can be safe against f faults (step 1). */
    BFT_INFEASIBLE,
    /** Fewer than n-f members delivered a proposal that counts, or none (step 3). */
    INSUFFICIENT_DELIVERY,
    /** Two verdicts lead with equally many (step 4). */
    VERDICT_TIE,
    /** The leading verdict has fewer than 2f+1 (step 4). */
    NO_VERDICT_QUORUM,
    /** The faulty and the undelivered together could have made another verdict lead (step 4). */
    WEAK_VERDICT_MARGIN,
    /** No semantic core, and no fallback to the verdict alone (step 6). */
    SEMANTIC_DISPERSED;

    /** The stable name on the wire, in logs and on the ledger. */
    public String code() {
      return name();
    }

    /** The reason with this code. */
    public static Optional<AbortReason> ofCode(String code) {
      return Arrays.stream(values()).filter(one -> one.code().equals(code)).findFirst();
    }
  }
}
