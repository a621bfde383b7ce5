package dev.parlance.policy.commit;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.parlance.policy.commit.Outcome.AbortReason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The seven steps written down a second time, without a thought for speed: every subset of the
 * leading group is weighed and sorted. Shares only the types with what it checks.
 */
final class SlowHcsc {
  private final RoundSpec spec;
  private final int n;
  private final int f;

  private SlowHcsc(RoundSpec spec) {
    this.spec = spec;
    this.n = spec.members().size();
    this.f = spec.faults();
  }

  static Outcome decide(RoundSpec spec, List<Proposal> proposals) {
    return new SlowHcsc(spec).decide(proposals);
  }

  private Outcome decide(List<Proposal> proposals) {
    if (n <= 3 * f) {
      return abort(AbortReason.BFT_INFEASIBLE, 0, 0, 0, List.of());
    }
    List<Outcome.Drop> dropped = new ArrayList<>();
    List<Proposal> sound = new ArrayList<>();
    for (Proposal one : proposals) {
      if (!spec.members().contains(one.agent())) {
        dropped.add(new Outcome.Drop(one.agent(), Outcome.DropReason.UNKNOWN_AGENT));
      } else if (one.meaning().equals(Meaning.MALFORMED)
          || (one.meaning() instanceof Meaning.Vector v
              && v.vector().dim() != spec.encoding().dim())
          || !one.verdict().matches("[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}")) {
        dropped.add(new Outcome.Drop(one.agent(), Outcome.DropReason.MALFORMED));
      } else {
        sound.add(one);
      }
    }
    List<Proposal> left = new ArrayList<>();
    for (String agent : sound.stream().map(Proposal::agent).distinct().toList()) {
      Set<Proposal> own = new HashSet<>();
      sound.stream().filter(one -> one.agent().equals(agent)).forEach(own::add);
      if (own.size() > 1) {
        dropped.add(new Outcome.Drop(agent, Outcome.DropReason.EQUIVOCATION));
      } else {
        left.addAll(own);
      }
    }
    int d = left.size();
    if (d == 0 || d < n - f) {
      return abort(AbortReason.INSUFFICIENT_DELIVERY, d, 0, 0, dropped);
    }
    Map<String, Long> sizes = left.stream().collect(groupingBy(Proposal::verdict, counting()));
    List<Map.Entry<String, Long>> ranked = new ArrayList<>(sizes.entrySet());
    ranked.sort(Map.Entry.<String, Long>comparingByValue().reversed());
    int a = ranked.getFirst().getValue().intValue();
    int b = ranked.size() == 1 ? 0 : ranked.get(1).getValue().intValue();
    if (a == b) {
      return abort(AbortReason.VERDICT_TIE, d, a, b, dropped);
    }
    if (a <= 2 * f) {
      return abort(AbortReason.NO_VERDICT_QUORUM, d, a, b, dropped);
    }
    if (a - b <= f + n - d) {
      return abort(AbortReason.WEAK_VERDICT_MARGIN, d, a, b, dropped);
    }
    String verdict = ranked.getFirst().getKey();
    Map<String, Proposal> group = new TreeMap<>();
    left.stream()
        .filter(one -> one.verdict().equals(verdict))
        .forEach(one -> group.put(one.agent(), one));
    Outcome.Count count = new Outcome.Count(d, a, b);
    Optional<Weighed> core = core(List.copyOf(group.values()), a);
    if (core.isPresent()) {
      List<Proposal> members = core.get().members();
      Optional<QuantVector> aggregate = aggregate(members);
      if (aggregate.isPresent()) {
        return new Outcome.SemanticCommit(
            verdict,
            count,
            members.stream().map(Proposal::agent).toList(),
            core.get().minCos(),
            aggregate.get(),
            digest("semantic_commit", verdict, count, members, aggregate),
            dropped);
      }
    }
    if (spec.verdictFallback() && a - b >= f + 1 + n - d + spec.extraMargin()) {
      List<Proposal> members = List.copyOf(group.values());
      return new Outcome.VerdictCommit(
          verdict,
          count,
          List.copyOf(group.keySet()),
          digest("verdict_commit", verdict, count, members, Optional.empty()),
          dropped);
    }
    return abort(AbortReason.SEMANTIC_DISPERSED, d, a, b, dropped);
  }

  private static Outcome abort(
      AbortReason reason, int d, int a, int b, List<Outcome.Drop> dropped) {
    return new Outcome.Abort(reason, new Outcome.Count(d, a, b), dropped);
  }

  /** A subset with what it is ranked by. */
  private record Weighed(List<Proposal> members, double minCos, long sum) {
    String names() {
      return members.stream().map(Proposal::agent).collect(Collectors.joining("\n"));
    }
  }

  private Optional<Weighed> core(List<Proposal> group, int a) {
    int need = Math.max(2 * f + 1, a / 2 + 1);
    int cap = Math.max(need, a - f);
    for (int size = cap; size >= need; size--) {
      int wanted = size;
      Optional<Weighed> best =
          IntStream.range(0, 1 << group.size())
              .filter(subset -> Integer.bitCount(subset) == wanted)
              .mapToObj(subset -> weigh(group, subset))
              .flatMap(Optional::stream)
              .filter(one -> one.minCos() >= spec.encoding().cosMin())
              .min(
                  Comparator.comparingDouble((Weighed one) -> -one.minCos())
                      .thenComparing(Comparator.comparingLong(Weighed::sum).reversed())
                      .thenComparing(Weighed::names));
      if (best.isPresent()) {
        return best;
      }
    }
    return Optional.empty();
  }

  private static Optional<Weighed> weigh(List<Proposal> group, int subset) {
    List<Proposal> members =
        IntStream.range(0, group.size())
            .filter(i -> (subset >> i & 1) == 1)
            .mapToObj(group::get)
            .toList();
    if (!members.stream().allMatch(one -> one.meaning() instanceof Meaning.Vector)) {
      return Optional.empty();
    }
    double minCos = members.size() == 1 ? 1.0 : 2.0;
    long sum = 0;
    for (Proposal one : members) {
      for (Proposal other : members) {
        if (one.agent().compareTo(other.agent()) < 0) {
          long dot = dot(one, other);
          minCos =
              Math.min(
                  minCos,
                  (double) dot / Math.sqrt((double) dot(one, one) * (double) dot(other, other)));
          sum += dot;
        }
      }
    }
    return Optional.of(new Weighed(members, minCos, sum));
  }

  private static QuantVector vector(Proposal one) {
    return ((Meaning.Vector) one.meaning()).vector();
  }

  private static long dot(Proposal one, Proposal other) {
    return IntStream.range(0, vector(one).dim())
        .mapToLong(i -> (long) vector(one).at(i) * vector(other).at(i))
        .sum();
  }

  private static Optional<QuantVector> aggregate(List<Proposal> members) {
    int dim = vector(members.getFirst()).dim();
    long[] sums = new long[dim];
    long squares = 0;
    for (int i = 0; i < dim; i++) {
      for (Proposal one : members) {
        sums[i] += vector(one).at(i);
      }
      squares += sums[i] * sums[i];
    }
    if (squares == 0) {
      return Optional.empty();
    }
    byte[] bytes = new byte[2 * dim];
    for (int i = 0; i < dim; i++) {
      long entry = (long) Math.rint(sums[i] / Math.sqrt((double) squares) * 32767);
      bytes[2 * i] = (byte) (entry >> 8);
      bytes[2 * i + 1] = (byte) entry;
    }
    return QuantVector.ofBytes(bytes);
  }

  private String digest(
      String kind,
      String verdict,
      Outcome.Count count,
      List<Proposal> members,
      Optional<QuantVector> aggregate) {
    String lines =
        String.join(
            "\n",
            "parlance-hcsc-1",
            "kind=" + kind,
            "round=" + spec.round(),
            "n=" + n,
            "f=" + f,
            "delivered=" + count.delivered(),
            "encoder=" + spec.encoding().encoder(),
            "dim=" + spec.encoding().dim(),
            String.format("cosMin=%016x", Double.doubleToRawLongBits(spec.encoding().cosMin())),
            "scale=32767",
            "extraMargin=" + spec.extraMargin(),
            "verdict=" + verdict,
            "support=" + count.support(),
            "runnerUp=" + count.runnerUp(),
            "");
    for (Proposal one : members) {
      String meaning =
          one.meaning() instanceof Meaning.Vector v
              ? Rounds.hexSha256(v.vector().toBytes())
              : "none";
      lines += "member=" + one.agent() + ":" + one.textSha256() + ":" + meaning + "\n";
    }
    if (aggregate.isPresent()) {
      StringBuilder hex = new StringBuilder("aggregate=");
      for (int i = 0; i < aggregate.get().dim(); i++) {
        hex.append(String.format("%04x", aggregate.get().at(i) & 0xffff));
      }
      lines += hex + "\n";
    }
    return Rounds.hexSha256(lines.getBytes(StandardCharsets.UTF_8));
  }
}
