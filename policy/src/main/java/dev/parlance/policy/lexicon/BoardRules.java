package dev.parlance.policy.lexicon;

import dev.parlance.policy.text.Tokens;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a board takes (convention {@code board-1}).
 *
 * @param factions the members of each faction, by its name
 * @param blocked keys that nobody may coin: words of answers, not of meaning
 * @param markers texts that void every definition of a turn in which one stands, in lower case: a
 *     turn that gives its final answer coins nothing
 */
public record BoardRules(
    Map<String, Set<String>> factions, Set<String> blocked, List<String> markers) {
  /** Most words in a term. */
  public static final int TERM_WORDS_MAX = 4;

  /** Most code points in a term. */
  public static final int TERM_LENGTH_MAX = 48;

  /** Most code points in a definition or in the reason of a challenge. */
  public static final int DEFINITION_LENGTH_MAX = 280;

  /** No factions, and what the convention blocks. */
  public static final BoardRules DEFAULT =
      new BoardRules(
          Map.of(),
          Set.of(
              "answer",
              "true",
              "false",
              "uncertain",
              "yes",
              "no",
              "option a",
              "option b",
              "option c",
              "option d"),
          List.of("####", "final answer", "\\boxed", "[part 3]", "answer:"));

  /** Keeps copies; blocked words become keys, markers lower case. */
  public BoardRules {
    factions =
        factions.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(Map.Entry::getKey, one -> Set.copyOf(one.getValue())));
    blocked = blocked.stream().map(BoardRules::key).collect(Collectors.toUnmodifiableSet());
    markers = markers.stream().map(one -> one.toLowerCase(Locale.ROOT)).toList();
  }

  /** These rules with other factions. */
  public BoardRules with(Map<String, Set<String>> others) {
    return new BoardRules(others, blocked, markers);
  }

  /** True if the speaker hears what is said on the channel. */
  public boolean hears(String speaker, Channel channel) {
    return channel.isPublic()
        || factions.getOrDefault(channel.faction().get(), Set.of()).contains(speaker);
  }

  /** Why a definition coins nothing wherever it stands; what its turn says is not asked. */
  public Optional<CoinRefusal.Reason> refusal(String term, String definition) {
    String key = key(term);
    if (key.isEmpty() || key(definition).isEmpty()) {
      return Optional.of(CoinRefusal.Reason.SYNTAX);
    }
    if (key.split(" ", -1).length > TERM_WORDS_MAX
        || !fits(term, TERM_LENGTH_MAX)
        || !fits(definition, DEFINITION_LENGTH_MAX)) {
      return Optional.of(CoinRefusal.Reason.TOO_LONG);
    }
    return blocked.contains(key) ? Optional.of(CoinRefusal.Reason.BLOCKED) : Optional.empty();
  }

  /** True if a turn gives its final answer; it is lower-cased for that, and not normalised. */
  boolean isFinal(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return markers.stream().anyMatch(lower::contains);
  }

  /** True for the reason of a challenge. */
  public static boolean isReason(String text) {
    return !text.isEmpty() && fits(text, DEFINITION_LENGTH_MAX);
  }

  /** True for the new definition of a repair. */
  public static boolean isDefinition(String text) {
    return !key(text).isEmpty() && fits(text, DEFINITION_LENGTH_MAX);
  }

  private static boolean fits(String text, int max) {
    return text.codePointCount(0, text.length()) <= max;
  }

  /** In what two terms are compared: the tokens of the text, joined by a blank. */
  public static String key(String term) {
    return String.join(" ", Tokens.of(term));
  }
}
