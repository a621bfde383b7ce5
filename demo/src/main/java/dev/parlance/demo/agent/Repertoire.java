package dev.parlance.demo.agent;

import dev.parlance.demo.license.DemoJson;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Which character the scholar puts on for which question, and what that character says in its own
 * words. It stands in for a language model whose habits are known beforehand, so that a run can be
 * repeated; questions that are not listed are answered faithfully.
 */
public final class Repertoire {
  private Repertoire() {}

  /** In which form an answer leaves, because both occur in the field. */
  public enum Shape {
    /** A message. */
    MESSAGE,
    /** A completed task with one artifact. */
    TASK
  }

  /**
   * A question and how it is answered.
   *
   * @param question the question
   * @param character who answers
   * @param shape in which form
   * @param ownWords what the character says of its own, one entry per draft, the last one repeated
   */
  public record Role(
      String question, AgentCharacter character, Shape shape, List<String> ownWords) {
    /** Refuses a talkative character without words. */
    public Role {
      ownWords = List.copyOf(ownWords);
      boolean quotesOnly =
          character == AgentCharacter.FAITHFUL || character == AgentCharacter.FORGETFUL;
      if (quotesOnly != ownWords.isEmpty()) {
        throw new IllegalArgumentException(character + " with " + ownWords.size() + " own words");
      }
    }

    /** What the character says of its own in the draft after {@code repairs} requests to repair. */
    String ownWords(int repairs) {
      return ownWords.get(Math.min(repairs, ownWords.size() - 1));
    }
  }

  /** Every listed question. */
  public static final List<Role> ROLES =
      DemoJson.script(Repertoire.class, "questions.json", Role[].class);

  private static final Map<String, Role> BY_QUESTION =
      ROLES.stream().collect(Collectors.toMap(role -> key(role.question()), Function.identity()));

  /** The role for a question; faithful if it is not listed. */
  public static Role of(String question) {
    Role listed = BY_QUESTION.get(key(question));
    return listed != null
        ? listed
        : new Role(question, AgentCharacter.FAITHFUL, Shape.MESSAGE, List.of());
  }

  private static String key(String question) {
    return question.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
  }
}
