package dev.parlance.policy.commit;

import dev.parlance.policy.text.Coded;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

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
   * @param digest hex SHA-256 that binds parameters, texts, vectors and aggregate (step 7)
   */
  record SemanticCommit(
      String verdict,
      Count count,
      List<String> core,
      double minCos,
      QuantVector aggregate,
      String digest,
      List<Drop> dropped)
      implements Outcome {
    /** Copies the lists. */
    public SemanticCommit {
      core = List.copyOf(core);
      dropped = List.copyOf(dropped);
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
