package dev.parlance.sim.finality;

import dev.parlance.policy.commit.RoundRefusal;
import dev.parlance.sim.Parallel;
import dev.parlance.sim.Progress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Plays many rounds of all sizes against adversaries and counts where a promise was broken. Attacks
 * take turns, so each has its share of the rounds.
 */
final class AdversaryStudy {
  private static final int CHUNK = 500;

  private AdversaryStudy() {}

  /**
   * The rounds of a study.
   *
   * @param rows one an attack
   * @param refused proposals that the round machine did not take, by reason
   * @param equivocations proposals kept as evidence against their senders
   */
  record Counted(List<StudyRow> rows, Map<RoundRefusal, Long> refused, long equivocations) {}

  /**
   * Plays them.
   *
   * @param excess how many agents more than f are faulty: 0 is what the protocol assumes
   */
  static Counted run(
      String stage, long rounds, int excess, long seed, int threads, Progress progress) {
    int chunks = Math.toIntExact((rounds + CHUNK - 1) / CHUNK);
    SplittableRandom root = new SplittableRandom(seed);
    SplittableRandom[] randoms = new SplittableRandom[chunks];
    for (int chunk = 0; chunk < chunks; chunk++) {
      randoms[chunk] = root.split();
    }
    Map<Attack, StudyCount> counts = counts();
    Parallel.<Map<Attack, StudyCount>, RuntimeException>inOrder(
        chunks,
        threads,
        chunk ->
            play(
                (long) chunk * CHUNK,
                Math.min(rounds, (chunk + 1L) * CHUNK),
                excess,
                randoms[chunk]),
        (chunk, more) -> {
          more.forEach((attack, count) -> count(counts, attack).add(count));
          progress.advanced(stage, Math.min(rounds, (chunk + 1L) * CHUNK), rounds);
        });
    List<StudyRow> rows = new ArrayList<>();
    StudyCount all = new StudyCount();
    counts.forEach((attack, count) -> {
      rows.add(count.row(attack));
      all.add(count);
    });
    return new Counted(rows, all.refused(), all.equivocations());
  }

  private static Map<Attack, StudyCount> play(
      long from, long to, int excess, SplittableRandom random) {
    Map<Attack, StudyCount> counts = counts();
    Attack[] attacks = Attack.values();
    SceneMaker maker = new SceneMaker(random);
    for (long number = from; number < to; number++) {
      Attack attack = attacks[(int) (number % attacks.length)];
      Scene scene = maker.make(number, excess);
      RoundPlay.Played played =
          RoundPlay.play(scene, Adversary.moves(scene, attack, random), random);
      count(counts, attack).add(played, Referee.rule(scene, played, random));
    }
    return counts;
  }

  private static Map<Attack, StudyCount> counts() {
    Map<Attack, StudyCount> counts = new EnumMap<>(Attack.class);
    for (Attack attack : Attack.values()) {
      counts.put(attack, new StudyCount());
    }
    return counts;
  }

  private static StudyCount count(Map<Attack, StudyCount> counts, Attack attack) {
    return counts.computeIfAbsent(attack, _ -> new StudyCount());
  }
}
