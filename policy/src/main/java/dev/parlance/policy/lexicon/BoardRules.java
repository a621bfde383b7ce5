package dev.parlance.policy.lexicon;

import dev.parlance.policy.text.Tokens;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
  boolean hears(String speaker, Channel channel) {
    return channel.isPublic()
        || factions.getOrDefault(channel.faction().get(), Set.of()).contains(speaker);
  }

  /** In what two terms are compared: the tokens of the text, joined by a blank. */
  static String key(String term) {
    return String.join(" ", Tokens.of(term));
  }
}
