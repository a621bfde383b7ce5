package dev.parlance.demo.agent;

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
      List.of(
          role("What does \"Contributor\" mean?", AgentCharacter.FAITHFUL, Shape.MESSAGE),
          role("What counts as \"Derivative Works\"?", AgentCharacter.FAITHFUL, Shape.TASK),
          role(
              "What does \"Legal Entity\" mean in this license?",
              AgentCharacter.FAITHFUL,
              Shape.MESSAGE),
          role(
              "What happens to patent licenses if You institute patent litigation?",
              AgentCharacter.FAITHFUL,
              Shape.TASK),
          role(
              "Does this License grant permission to use the trade names or trademarks of the"
                  + " Licensor?",
              AgentCharacter.FAITHFUL,
              Shape.MESSAGE),
          role(
              "Does the copyright license allow You to sublicense and distribute the Work?",
              AgentCharacter.HEDGING,
              Shape.MESSAGE,
              "Briefly, yes; anyone downstream gets broad freedom here."),
          role(
              "Which document do you answer questions from?",
              AgentCharacter.BARE,
              Shape.MESSAGE,
              "I answer from one document only, the Apache License 2.0 that lies beside me."),
          role(
              "What does the License say the contents of the NOTICE file are for?",
              AgentCharacter.FORGETFUL,
              Shape.MESSAGE),
          role(
              "Does the Licensor provide the Work with warranties or conditions of any kind?",
              AgentCharacter.EMBROIDERING,
              Shape.TASK,
              "Most vendors quietly honour bug reports for about a year, and courts tend to side"
                  + " with paying customers anyway."),
          role(
              "Under which terms and conditions are Contributions submitted?",
              AgentCharacter.EMBROIDERING,
              Shape.MESSAGE,
              "Usually maintainers email everybody a signed form first, then a steering committee"
                  + " votes before anything gets merged."),
          role(
              "Can a Contributor be liable to You for damages?",
              AgentCharacter.RELAPSING,
              Shape.TASK,
              "Practically speaking, insurers settle such quarrels long before trial, so nobody"
                  + " worries much."),
          role(
              "May You charge a fee for support or warranty while redistributing the Work?",
              AgentCharacter.PARAPHRASING,
              Shape.MESSAGE,
              "Sure, businesses sell help desks around open code all day; just make sure customers"
                  + " realise it's your promise, not everybody else's.",
              "Selling assistance is perfectly normal. Keep the promise personal and nobody"
                  + " upstream gets dragged into trouble.",
              "Yes, think of it like running a garage: you bill people for looking after somebody"
                  + " else's engine, at your own risk."),
          role(
              "What does \"control\" mean in the definition of a Legal Entity?",
              AgentCharacter.PARAPHRASING,
              Shape.TASK,
              "Basically, whoever calls the shots at the company: they hire bosses, pick strategy,"
                  + " maybe hold most stock.",
              "It means being boss of a firm, so to speak; whoever can tell staff what happens next"
                  + " runs things."),
          role(
              "Which court has jurisdiction over disputes about this license?",
              AgentCharacter.INVENTING,
              Shape.MESSAGE,
              "Disputes go before the Superior Court of Santa Clara County, California, after"
                  + " thirty days of mandatory mediation in San Jose.",
              "Jurisdiction lies exclusively with federal judges sitting in Delaware; arbitration"
                  + " in Geneva precedes every lawsuit."),
          role(
              "What royalty must be paid for commercial use of the Work?",
              AgentCharacter.INVENTING,
              Shape.TASK,
              "Commercial users owe 2.5% of net revenue quarterly, capped at $40,000 annually,"
                  + " payable to the foundation's treasurer [Chunk c41].",
              "The royalty amounts to 3% of gross turnover beyond one million dollars, invoiced"
                  + " every January [Chunk c57]."),
          role(
              "How much notice must the Licensor give before revoking this license?",
              AgentCharacter.INVENTING,
              Shape.MESSAGE,
              "Ninety days' registered letter suffices; afterwards users must delete all binaries"
                  + " within two weeks or face penalties.",
              "Sixty calendar days' email warning plus publication on the website, followed by a"
                  + " grace period until quarter end."));

  private static final Map<String, Role> BY_QUESTION =
      ROLES.stream().collect(Collectors.toMap(role -> key(role.question()), Function.identity()));

  /** The role for a question; faithful if it is not listed. */
  public static Role of(String question) {
    Role listed = BY_QUESTION.get(key(question));
    return listed != null ? listed : role(question, AgentCharacter.FAITHFUL, Shape.MESSAGE);
  }

  private static Role role(
      String question, AgentCharacter character, Shape shape, String... ownWords) {
    return new Role(question, character, shape, List.of(ownWords));
  }

  private static String key(String question) {
    return question.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
  }
}
