package dev.parlance.control.config;

import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.core.Names;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How boards of coined terms are kept (docs/lexicon.md).
 *
 * @param enabled false: no turn is taken; boards that are on the ledger are still shown
 * @param groups the factions of new boards, members by name; a board keeps those that it was opened
 *     with
 * @param share who sees a term that was just coined on a new board
 * @param promotion when a term may go into a plan
 */
public record LexiconSettings(
    boolean enabled, SortedMap<String, List<String>> groups, Sharing share, Promotion promotion) {
  /** What holds where the file says nothing. */
  public static final LexiconSettings DEFAULT =
      new LexiconSettings(
          true, Collections.emptySortedMap(), Sharing.AUTO, new Promotion(3, 2, Optional.empty()));

  static final int MAX_GROUPS = LexiconEntry.GROUPS_MAX;
  static final int MAX_MEMBERS = LexiconEntry.MEMBERS_MAX;

  /** Who sees a term that was just coined. */
  public enum Sharing {
    /** Everybody of its channel. */
    AUTO,
    /** Its coiner alone, until a person has shared it. */
    REVIEWED
  }

  /**
   * When a term may become a governed term of a plan.
   *
   * @param uses how often it must have been used, 1 to 1,000,000
   * @param speakers by how many speakers, 1 to 64
   * @param plan the plan that it then goes into by itself; empty: only if a person says so
   */
  public record Promotion(int uses, int speakers, Optional<String> plan) {
    static final int MAX_USES = 1_000_000;
    static final int MAX_SPEAKERS = 64;

    /** Refuses values outside their ranges. */
    public Promotion {
      RoundsSettings.checked("promote.uses", uses, 1, MAX_USES);
      RoundsSettings.checked("promote.speakers", speakers, 1, MAX_SPEAKERS);
      if (plan.filter(name -> !Names.isName(name)).isPresent()) {
        throw new IllegalArgumentException("no name of a plan: " + plan.get());
      }
    }
  }

  /** Keeps sorted copies; refuses names that are none and values outside their ranges. */
  public LexiconSettings {
    RoundsSettings.checked("groups", groups.size(), 0, MAX_GROUPS);
    SortedMap<String, List<String>> copy = new TreeMap<>();
    for (Map.Entry<String, List<String>> group : groups.entrySet()) {
      RoundsSettings.checked(
          "members of " + group.getKey(), group.getValue().size(), 1, MAX_MEMBERS);
      if (!RoundNames.isName(group.getKey())
          || !group.getValue().stream().allMatch(Names::isName)) {
        throw new IllegalArgumentException("no names: " + group);
      }
      copy.put(group.getKey(), group.getValue().stream().distinct().sorted().toList());
    }
    RoundsSettings.checked(
        "members of all groups", copy.values().stream().mapToInt(List::size).sum(), 0, MAX_MEMBERS);
    groups = Collections.unmodifiableSortedMap(copy);
  }

  /** The same with other groups. */
  public LexiconSettings withGroups(Map<String, List<String>> other) {
    return new LexiconSettings(enabled, new TreeMap<>(other), share, promotion);
  }

  /** The same with another way to share. */
  public LexiconSettings sharing(Sharing other) {
    return new LexiconSettings(enabled, groups, other, promotion);
  }

  /** The same with another rule of promotion. */
  public LexiconSettings promoting(Promotion other) {
    return new LexiconSettings(enabled, groups, share, other);
  }
}
