package dev.parlance.proxy.review;

import dev.parlance.proxy.review.ReviewEvent.Verdict;
import dev.parlance.proxy.review.ReviewEvent.Vote;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * How far people agree who have decided the same messages without knowing of each other.
 *
 * <p>Both kappas are the share of agreement beyond chance, (P - Pe) / (1 - Pe): 1 is perfect, 0 as
 * good as chance, below 0 worse. <b>Cohen's</b> is that of two raters, with Pe from how often each
 * of them chooses which verdict; of all messages together the raters are whoever decided first and
 * whoever decided second. <b>Fleiss'</b> takes any number of raters, who need not be the same for
 * each message nor as many: P is the mean over the messages, each of which counts alike, Pe comes
 * from all votes together. They are undefined where all votes are the same, since chance alone
 * agrees as well then.
 *
 * @param items messages with two votes or more
 * @param observed share of the pairs of votes about one message that agree; empty without any
 * @param cohen Cohen's kappa of the first two votes
 * @param fleiss Fleiss' kappa of all votes
 * @param pairs the same of each two people who have decided a message together, by name
 */
@SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
public record Agreement(
    int items,
    OptionalDouble observed,
    OptionalDouble cohen,
    OptionalDouble fleiss,
    List<Pair> pairs) {
  private static final int VERDICTS = Verdict.values().length;

  /**
   * Two people.
   *
   * @param one the first by name
   * @param other the second
   * @param items messages that both have decided
   * @param observed share of them that they decided alike
   * @param kappa Cohen's kappa, where it is defined
   */
  public record Pair(String one, String other, int items, double observed, OptionalDouble kappa) {}

  private record Names(String one, String other) implements Comparable<Names> {
    @Override
    public int compareTo(Names names) {
      int first = one.compareTo(names.one);
      return first != 0 ? first : other.compareTo(names.other);
    }
  }

  /** Takes a copy. */
  public Agreement {
    pairs = List.copyOf(pairs);
  }

  /** The agreement of these votes: those about one message in one list, in their order. */
  static Agreement of(List<List<Vote>> votes) {
    List<List<Vote>> shared = votes.stream().filter(all -> all.size() > 1).toList();
    int[][] first = new int[VERDICTS][VERDICTS];
    List<int[]> counts = new ArrayList<>();
    Map<Names, int[][]> byPair = new TreeMap<>();
    long pairs = 0;
    long alike = 0;
    for (List<Vote> all : shared) {
      count(first, all.get(0), all.get(1));
      int[] row = new int[VERDICTS];
      for (int i = 0; i < all.size(); i++) {
        row[all.get(i).verdict().ordinal()]++;
        for (int j = i + 1; j < all.size(); j++) {
          pairs++;
          alike += all.get(i).verdict() == all.get(j).verdict() ? 1 : 0;
          boolean inOrder = all.get(i).who().compareTo(all.get(j).who()) <= 0;
          Vote one = all.get(inOrder ? i : j);
          Vote other = all.get(inOrder ? j : i);
          count(
              byPair.computeIfAbsent(
                  new Names(one.who(), other.who()), _ -> new int[VERDICTS][VERDICTS]),
              one,
              other);
        }
      }
      counts.add(row);
    }
    return new Agreement(
        shared.size(),
        pairs == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) alike / pairs),
        cohen(first),
        fleiss(counts),
        byPair.entrySet().stream().map(pair -> pair(pair.getKey(), pair.getValue())).toList());
  }

  private static void count(int[][] table, Vote one, Vote other) {
    table[one.verdict().ordinal()][other.verdict().ordinal()]++;
  }

  private static Pair pair(Names names, int[][] table) {
    int total = total(table);
    int alike = 0;
    for (int i = 0; i < table.length; i++) {
      alike += table[i][i];
    }
    return new Pair(names.one(), names.other(), total, (double) alike / total, cohen(table));
  }

  private static int total(int[][] table) {
    int total = 0;
    for (int[] row : table) {
      for (int count : row) {
        total += count;
      }
    }
    return total;
  }

  /** Cohen's kappa of a table: how often one rater chose the row and the other the column. */
  static OptionalDouble cohen(int[][] table) {
    double total = total(table);
    double alike = 0;
    double byChance = 0;
    for (int i = 0; i < table.length; i++) {
      double row = 0;
      double column = 0;
      for (int j = 0; j < table.length; j++) {
        row += table[i][j];
        column += table[j][i];
      }
      alike += table[i][i];
      byChance += row * column;
    }
    return total == 0 ? OptionalDouble.empty() : kappa(alike / total, byChance / (total * total));
  }

  /** Fleiss' kappa: of each message how often which verdict was chosen; 2 votes or more each. */
  static OptionalDouble fleiss(List<int[]> counts) {
    if (counts.isEmpty()) {
      return OptionalDouble.empty();
    }
    double[] chosen = new double[counts.getFirst().length];
    double votes = 0;
    double agreement = 0;
    for (int[] row : counts) {
      double of = 0;
      double alike = 0;
      for (int i = 0; i < row.length; i++) {
        chosen[i] += row[i];
        of += row[i];
        alike += (double) row[i] * (row[i] - 1);
      }
      votes += of;
      agreement += alike / (of * (of - 1));
    }
    double byChance = 0;
    for (double count : chosen) {
      byChance += count / votes * (count / votes);
    }
    return kappa(agreement / counts.size(), byChance);
  }

  private static OptionalDouble kappa(double observed, double byChance) {
    return byChance >= 1
        ? OptionalDouble.empty()
        : OptionalDouble.of((observed - byChance) / (1 - byChance));
  }
}
