package dev.parlance.demo.agent;

import dev.parlance.demo.license.DemoJson;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  /** To this question the first draft is long; when it is asked to mend it, it quotes. */
  public static final String RAMBLED = "What is a Contribution, and what has come of the others?";

  /** To this question every draft is long, whatever is asked. */
  public static final String LECTURED = "What do you think of licenses in general?";

  private static final String RAMBLING =
      " As for the others, I have read a good many of them, and could tell of each.";
  private static final int TIMES = 200;

  /** Questions that no act asks, to which the answers are long. */
  private static final List<Role> TALKATIVE =
      List.of(
          new Role(
              RAMBLED,
              AgentCharacter.EMBROIDERING,
              Shape.MESSAGE,
              List.of(RAMBLING.repeat(TIMES).strip())),
          new Role(
              LECTURED,
              AgentCharacter.BARE,
              Shape.MESSAGE,
              List.of(("Licenses in general, then." + RAMBLING.repeat(TIMES)))));

  private static final Map<String, Role> BY_QUESTION =
      Stream.concat(ROLES.stream(), TALKATIVE.stream())
          .collect(Collectors.toMap(role -> key(role.question()), Function.identity()));

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
