package dev.parlance.policy.commit;

import dev.parlance.policy.commit.Outcome.AbortReason;
import dev.parlance.policy.commit.Outcome.Count;
import dev.parlance.policy.text.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Algorithm {@code hcsc-mda-1}: minimum-diameter averaging inside the leading verdict group.
 *
 * <p>Guaranteed, if at most f of the n members are faulty, whatever those say, know and agree on:
 *
 * <ol>
 *   <li><b>Verdict.</b> The verdict of a commit is the one that more honest members hold than any
 *       other, counting those that were not heard as well. Of the a that give it at least a-f are
 *       honest. Any other verdict has at most b heard honest members and at most n-d unheard ones.
 *       The difference is at least (a-b) - f - (n-d), and step 4 asks for a-b &gt;= f+1+(n-d).
 *   <li><b>Core.</b> A semantic core has at least 2f+1 members, so f+1 honest ones, and more than
 *       half of the leading group, so there are no two disjoint ones.
 *   <li><b>Direction.</b> Let D be the honest diameter: the largest distance between the unit
 *       vectors of two honest members of the leading group. Where the core has a-f members, the
 *       mean of its unit vectors is at most 2f/(a-f) * D away from that of all honest members of
 *       the group. (Some a-f of the honest have a diameter of at most D, so the core, the best
 *       subset of this size, has as well. A faulty one in the core is at most D away from an honest
 *       one in the core, of which there are a-2f &gt;= 1, so at most 2D from any honest one. With j
 *       &lt;= t faulty in the core of t in the group and h = a-t honest, moving one mean onto the
 *       other costs at most 2D for a share of j/(a-f), and D for a share of (1-j/(a-f))(1-(a-f)/h);
 *       together at most (2t+(f-t))/(a-f) * D; every leader is taken to have a vector.) As an
 *       angle: at most asin(E/L) for a distance E and L, the length of the core's mean, at least
 *       sqrt((1+(s-1)minCos)/s) for a core of s.
 *   <li><b>Claims.</b> Where the texts of a core differ in what they list, what it stands for is
 *       what every one of it lists, so at least f+1 honest members do ({@link ClaimCore}); nothing
 *       else of the texts is in the digest.
 *   <li><b>From the record alone.</b> Whatever its size s, the core's mean is at most f/s *
 *       sqrt(2-2minCos) away from that of the honest members in it.
 *   <li><b>No veto.</b> Where all honest members are heard and give one verdict, and neither extra
 *       margin nor missing fallback stands against it, the round commits. Where any two of them are
 *       also within cosMin, and nothing critical between them where that is asked, it is a semantic
 *       commit. A {@link CriticalDifference} parts two members and nobody else: what a faulty
 *       member writes keeps itself out of a core, and no two honest ones.
 * </ol>
 *
 * <p>Quantising adds e = sqrt(dim)/65534 to the distance and asin(e) to the angle. Not guaranteed:
 * that the honest are right, that the encoder puts different meanings apart, anything with more
 * than f faulty.
 *
 * <p>Source: Xu et al., arXiv 2606.07316, with the constants of {@code hcsc-mda-1}.
 */
public final class Hcsc {
  private Hcsc() {}

  /**
   * The outcome of a round with these proposals. Their order decides nothing but the order in which
   * the dropped ones are listed.
   */
  public static Outcome decide(RoundSpec spec, List<Proposal> proposals) {
    return decide(spec, proposals, TextComparison.NONE);
  }

  /**
   * The same, where texts were compared as well as vectors.
   *
   * @param compared without effect unless the round's agreement asks for it
   */
  public static Outcome decide(RoundSpec spec, List<Proposal> proposals, TextComparison compared) {
    if (spec.size() < 3L * spec.faults() + 1) {
      return new Outcome.Abort(AbortReason.BFT_INFEASIBLE, Count.NONE, List.of());
    }
    Delivery delivery = Delivery.of(spec, proposals);
    int delivered = delivery.size();
    if (delivered < spec.size() - spec.faults() || delivered == 0) {
      Count count = new Count(delivered, 0, 0);
      return new Outcome.Abort(AbortReason.INSUFFICIENT_DELIVERY, count, delivery.dropped());
    }
    VerdictGroups standing = VerdictGroups.of(delivery.counted());
    Count count = new Count(delivered, standing.leaders().size(), standing.runnerUp());
    Optional<AbortReason> obstacle = obstacle(spec, count);
    return obstacle.isPresent()
        ? new Outcome.Abort(obstacle.get(), count, delivery.dropped())
        : finish(spec, standing, count, delivery.dropped(), compared);
  }

  /**
   * The verdict that more members gave than any other, whether or not it is enough for a commit;
   * empty if none leads or the round does not come so far (steps 1 and 3). For reports: an abort
   * binds nobody to it.
   */
  public static Optional<String> leading(RoundSpec spec, List<Proposal> proposals) {
    return switch (decide(spec, proposals)) {
      case Outcome.SemanticCommit commit -> Optional.of(commit.verdict());
      case Outcome.VerdictCommit commit -> Optional.of(commit.verdict());
      case Outcome.Abort abort when abort.count().margin() > 0 ->
          Optional.of(VerdictGroups.of(Delivery.of(spec, proposals).counted()).verdict());
      case Outcome.Abort abort -> Optional.empty();
    };
  }

  /** What keeps the leading verdict from a commit (step 4). */
  private static Optional<AbortReason> obstacle(RoundSpec spec, Count count) {
    if (count.margin() == 0) {
      return Optional.of(AbortReason.VERDICT_TIE);
    }
    if (count.support() < 2L * spec.faults() + 1) {
      return Optional.of(AbortReason.NO_VERDICT_QUORUM);
    }
    return count.margin() < leastMargin(spec, count)
        ? Optional.of(AbortReason.WEAK_VERDICT_MARGIN)
        : Optional.empty();
  }

  private static long leastMargin(RoundSpec spec, Count count) {
    return spec.faults() + 1L + (spec.size() - count.delivered());
  }

  /** Steps 5 to 7. */
  private static Outcome finish(
      RoundSpec spec,
      VerdictGroups standing,
      Count count,
      List<Outcome.Drop> dropped,
      TextComparison compared) {
    String verdict = standing.verdict();
    List<Proposal> leaders = standing.leaders();
    Optional<SemanticCore> found =
        SemanticCore.find(
            leaders,
            spec,
            spec.agreement() == RoundSpec.Agreement.CRITICAL
                ? compared.critical()
                : TextComparison.NONE);
    if (found.isPresent()) {
      SemanticCore core = found.get();
      String digest =
          core.claims().isEmpty()
              ? RoundDigest.of(spec, verdict, count, core.members(), Optional.of(core.aggregate()))
              : RoundDigest.ofClaims(spec, verdict, count, core.claims());
      return new Outcome.SemanticCommit(
          verdict,
          count,
          agents(core.members()),
          core.minCos(),
          core.aggregate(),
          core.claims(),
          digest,
          dropped);
    }
    if (spec.verdictFallback() && count.margin() >= leastMargin(spec, count) + spec.extraMargin()) {
      String digest = RoundDigest.of(spec, verdict, count, leaders, Optional.empty());
      return new Outcome.VerdictCommit(verdict, count, agents(leaders), digest, dropped);
    }
    return new Outcome.Abort(AbortReason.SEMANTIC_DISPERSED, count, dropped);
  }

  private static List<String> agents(List<Proposal> members) {
    return members.stream().map(Proposal::agent).toList();
  }

  /**
   * How the verdicts fell.
   *
   * @param verdict the one that leads; of several that do, the first in byte order
   * @param leaders the proposals that give it, by agent in byte order
   * @param runnerUp b: most proposals that another verdict has
   */
  record VerdictGroups(String verdict, List<Proposal> leaders, int runnerUp) {
    /**
     * Of the proposals that count.
     *
     * @param counted at least one, by agent in byte order
     */
    static VerdictGroups of(List<Proposal> counted) {
      Map<String, List<Proposal>> groups = new TreeMap<>();
      for (Proposal proposal : counted) {
        groups.computeIfAbsent(proposal.verdict(), any -> new ArrayList<>()).add(proposal);
      }
      String verdict = "";
      List<Proposal> leaders = List.of();
      int runnerUp = 0;
      for (Map.Entry<String, List<Proposal>> group : groups.entrySet()) {
        int size = group.getValue().size();
        if (size > leaders.size()) {
          runnerUp = leaders.size();
          verdict = group.getKey();
          leaders = group.getValue();
        } else {
          runnerUp = Math.max(runnerUp, size);
        }
      }
      return new VerdictGroups(verdict, leaders, runnerUp);
    }
  }

  /** What a commit binds (step 7): SHA-256 of a text that anybody can write down again. */
  static final class RoundDigest {
    private static final HexFormat HEX = HexFormat.of();

    private RoundDigest() {}

    /**
     * The digest of a commit.
     *
     * @param members who carries it, by agent in byte order
     * @param aggregate of a semantic commit; without one it is a verdict commit
     */
    static String of(
        RoundSpec spec,
        String verdict,
        Outcome.Count count,
        List<Proposal> members,
        Optional<QuantVector> aggregate) {
      StringBuilder text =
          head(spec, aggregate.isPresent() ? "semantic_commit" : "verdict_commit", verdict, count);
      for (Proposal member : members) {
        line(text, "member", member.agent() + ":" + member.textSha256() + ":" + meaning(member));
      }
      aggregate.ifPresent(vector -> line(text, "aggregate", HEX.formatHex(vector.toBytes())));
      return digest(text);
    }

    /**
     * The digest of a semantic commit of members that differ in what they list: of their texts it
     * binds the common claims and nothing else.
     */
    static String ofClaims(
        RoundSpec spec, String verdict, Outcome.Count count, List<Outcome.CommonClaim> claims) {
      StringBuilder text = head(spec, "semantic_commit", verdict, count);
      for (int i = 0; i < claims.size(); i++) {
        for (ListedClaims.Claim one : claims.get(i).carriers()) {
          line(text, "claim", (i + 1) + ":" + one.agent() + ":" + one.sha256());
        }
      }
      return digest(text);
    }

    /** What every commit binds. */
    private static StringBuilder head(
        RoundSpec spec, String kind, String verdict, Outcome.Count count) {
      Encoding encoding = spec.encoding();
      StringBuilder text = new StringBuilder(128 * (spec.size() + 4));
      text.append("parlance-hcsc-1\n");
      line(text, "kind", kind);
      line(text, "round", spec.round());
      line(text, "n", Integer.toString(spec.size()));
      line(text, "f", Integer.toString(spec.faults()));
      line(text, "delivered", Integer.toString(count.delivered()));
      line(text, "encoder", encoding.encoder());
      line(text, "dim", Integer.toString(encoding.dim()));
      line(text, "cosMin", HEX.toHexDigits(Double.doubleToLongBits(encoding.cosMin())));
      line(text, "scale", Integer.toString(QuantVector.SCALE));
      line(text, "extraMargin", Integer.toString(spec.extraMargin()));
      if (spec.agreement() != RoundSpec.Agreement.VECTORS) {
        line(text, "agreement", spec.agreement().code());
      }
      line(text, "verdict", verdict);
      line(text, "support", Integer.toString(count.support()));
      line(text, "runnerUp", Integer.toString(count.runnerUp()));
      return text;
    }

    private static String digest(StringBuilder text) {
      return Sha256.hex(text.toString().getBytes(StandardCharsets.US_ASCII));
    }

    private static void line(StringBuilder text, String key, String value) {
      text.append(key).append('=').append(value).append('\n');
    }

    private static String meaning(Proposal member) {
      return switch (member.meaning()) {
        case Meaning.Vector meaning -> Sha256.hex(meaning.vector().toBytes());
        case Meaning.Unencoded unencoded -> "none";
        case Meaning.Malformed malformed ->
            throw new IllegalStateException(
                "a malformed proposal of " + member.agent() + " counts");
      };
    }

    /** Hex SHA-256 of a text's UTF-8 bytes. */
    static String sha256(String text) {
      return Sha256.hex(text);
    }
  }
}
