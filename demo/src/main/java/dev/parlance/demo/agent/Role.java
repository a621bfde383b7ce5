package dev.parlance.demo.agent;

import dev.parlance.demo.license.DemoJson;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A question, the character that the scholar puts on for it, and what that says in its own words.
 * It stands in for a language model whose habits are known beforehand, so that a run can be
 * repeated; questions that are not listed are answered faithfully.
 *
 * @param id {@code q01}, {@code q02}, ... in the order of the script; empty if no act asks it
 * @param question the question
 * @param character who answers
 * @param shape in which form
 * @param ownWords what the character says of its own, one entry per draft, the last one repeated
 */
public record Role(
    String id, String question, AgentCharacter character, Shape shape, List<String> ownWords) {
  /** Every question of the script. */
  public static final List<Role> SCRIPT =
      DemoJson.script(Role.class, "questions.json", Role[].class);

  /** To this question the first draft is long; when it is asked to mend it, it quotes. */
  public static final String RAMBLED = "What is a Contribution, and what has come of the others?";

  /** To this question every draft is long, whatever is asked. */
  public static final String LECTURED = "What do you think of licenses in general?";

  private static final String RAMBLING =
      " As for the others, I have read a good many of them, and could tell of each.".repeat(200);
  private static final List<Role> TALKATIVE =
      List.of(
          message(RAMBLED, AgentCharacter.EMBROIDERING, RAMBLING.strip()),
          message(LECTURED, AgentCharacter.BARE, "Licenses in general, then." + RAMBLING));

  /** In which form an answer leaves, because both occur in the field. */
  public enum Shape {
    /** A message. */
    MESSAGE,
    /** A completed task with one artifact. */
    TASK
  }

  /** Copies the list. */
  public Role {
    ownWords = List.copyOf(ownWords);
  }

  private static Role message(String question, AgentCharacter character, String... ownWords) {
    return new Role("", question, character, Shape.MESSAGE, List.of(ownWords));
  }

  /** The role for a question; faithful if it is not listed. */
  public static Role of(String question) {
    return Stream.concat(SCRIPT.stream(), TALKATIVE.stream())
        .filter(one -> key(one.question).equals(key(question)))
        .findFirst()
        .orElseGet(() -> message(question, AgentCharacter.FAITHFUL));
  }

  private static String key(String question) {
    return question.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
  }

  /** What the character says of its own in the draft after {@code repairs} requests to repair. */
  String ownWords(int repairs) {
    return ownWords.get(Math.min(repairs, ownWords.size() - 1));
  }
}
