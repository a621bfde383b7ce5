package dev.parlance.control.config;

import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.service.config.Binder.Key;
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
    boolean enabled,
    SortedMap<String, List<String>> groups,
    Sharing share,
    @Key("promote") Promotion promotion) {
  /** What holds where the file says nothing. */
  public static final LexiconSettings DEFAULT =
      ControlConfigLoader.defaults("lexicon", LexiconSettings.class);

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
    private static final String NONE = "none";

    /** Reads {@code none} as no plan. */
    public Promotion {
      plan = plan.filter(name -> !name.equals(NONE));
    }
  }

  /** Keeps sorted copies; refuses more members than a board has. */
  public LexiconSettings {
    SortedMap<String, List<String>> copy = new TreeMap<>();
    groups.forEach(
        (name, members) -> copy.put(name, members.stream().distinct().sorted().toList()));
    int members = groups.values().stream().mapToInt(List::size).sum();
    if (members > LexiconEntry.MEMBERS_MAX) {
      throw new IllegalArgumentException(
          "got "
              + members
              + " agents, expected at most "
              + LexiconEntry.MEMBERS_MAX
              + " of all groups together");
    }
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
