package dev.parlance.demo.agent;

import dev.parlance.demo.agent.Role.Shape;
import dev.parlance.demo.license.Extractor;
import dev.parlance.demo.license.Extractor.Quote;
import dev.parlance.demo.license.Retriever;
import dev.parlance.demo.license.Retriever.Passage;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What agent A says about the licence. Pure: the same question and the same number of requests to
 * repair give the same draft.
 */
public final class Scholar {
  private final Retriever retriever;
  private final Extractor extractor;

  /** A scholar who has read {@code licenceText}. */
  public Scholar(String licenceText) {
    retriever = new Retriever(Retriever.Chunker.chunk(licenceText));
    extractor = new Extractor(retriever);
  }

  /**
   * A draft with the material it was written from.
   *
   * @param text what is said
   * @param context the retrieved pieces, best first; empty if nothing was retrieved
   * @param citations ids that the text cites from the pieces
   * @param shape in which form it leaves
   */
  public record Draft(String text, List<Passage> context, List<String> citations, Shape shape) {
    /** Copies the lists. */
    public Draft {
      context = List.copyOf(context);
      citations = List.copyOf(citations);
    }
  }

  /**
   * Answers in the character that the question calls up.
   *
   * @param question the question
   * @param repairs how often this answer was sent back with a request to repair it, from 0
   * @param named ids of the pieces that the request names; empty leaves the choice open
   */
  public Draft answer(String question, int repairs, Set<String> named) {
    Role role = Role.of(question);
    return switch (role.character().kind(repairs)) {
      case CITED -> cited(role, question, named, "");
      case TALK_AND_CITED -> cited(role, question, named, role.ownWords(repairs) + " ");
      case QUOTED -> uncited(role, question, "");
      case QUOTED_AND_TALK -> uncited(role, question, " " + role.ownWords(repairs));
      case TALK -> new Draft(role.ownWords(repairs), context(question), List.of(), role.shape());
      case TALK_OF_ITSELF -> new Draft(role.ownWords(repairs), List.of(), List.of(), role.shape());
    };
  }

  private List<Passage> context(String question) {
    return retriever.top(question, Retriever.TOP);
  }

  private Draft cited(Role role, String question, Set<String> named, String preface) {
    List<Passage> context = context(question);
    List<Passage> allowed = context.stream().filter(p -> named.contains(p.id())).toList();
    List<Quote> quotes = extractor.quotes(question, allowed.isEmpty() ? context : allowed);
    if (quotes.isEmpty()) {
      return new Draft("The License says nothing about this.", context, List.of(), role.shape());
    }
    String text =
        quotes.stream()
            .map(quote -> quote.text() + " [Chunk " + quote.passageId() + "]")
            .collect(Collectors.joining(" "));
    List<String> citations = quotes.stream().map(Quote::passageId).distinct().toList();
    return new Draft(preface + text, context, citations, role.shape());
  }

  private Draft uncited(Role role, String question, String afterthought) {
    List<Passage> context = context(question);
    String text =
        extractor.quotes(question, context).stream()
            .limit(1)
            .map(Quote::text)
            .collect(Collectors.joining());
    return new Draft((text + afterthought).strip(), context, List.of(), role.shape());
  }
}
