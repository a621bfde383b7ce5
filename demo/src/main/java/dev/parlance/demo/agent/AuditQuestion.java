package dev.parlance.demo.agent;

import dev.parlance.demo.license.LicenseTerms.TermReading.Answer;
import dev.parlance.demo.license.Usage.Example;
import io.a2a.spec.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A question about the use of a word, as an audit puts it. It stands in the message twice: as the
 * extension's object and in plain words. An agent that knows the extension reads the one, any other
 * agent the other.
 */
sealed interface AuditQuestion {
  /** Does the term apply to what is told? */
  record Witness(String term, String text) implements AuditQuestion {}

  /** Will you use the term as these examples show? */
  record Offer(String term, List<Example> examples) implements AuditQuestion {
    /** Copies the list. */
    public Offer {
      examples = List.copyOf(examples);
    }
  }

  /** What is read in plain words. */
  final class Words {
    private static final Pattern TERM = Pattern.compile("(?m)^Term: (.+)$");
    private static final Pattern EVENT = Pattern.compile("(?m)^Event: (.+)$");
    private static final Pattern EXAMPLE =
        Pattern.compile("(?m)^- it (applies|does not apply) to: (.+)$");

    private Words() {}
  }

  /** The question in the extension's object; empty if there is none that can be read. */
  static Optional<AuditQuestion> inExtension(Message message) {
    return message.getMetadata() != null
            && message.getMetadata().get(Extensions.AUDIT) instanceof Map<?, ?> object
            && object.get("term") instanceof String term
        ? inObject(term, object)
        : Optional.empty();
  }

  private static Optional<AuditQuestion> inObject(String term, Map<?, ?> object) {
    if ("witness".equals(object.get("kind"))) {
      return eventText(object).map(text -> new Witness(term, text));
    }
    if ("offer".equals(object.get("kind")) && object.get("examples") instanceof List<?> list) {
      List<Example> examples = new ArrayList<>();
      for (Object one : list) {
        if (one instanceof Map<?, ?> example && example.get("verdict") instanceof String verdict) {
          eventText(example)
              .ifPresent(
                  text -> examples.add(new Example(text, assents(verdict.equals("assent")))));
        }
      }
      return Optional.of(new Offer(term, examples));
    }
    return Optional.empty();
  }

  private static Optional<String> eventText(Map<?, ?> object) {
    return object.get("event") instanceof Map<?, ?> event
            && event.get("text") instanceof String text
        ? Optional.of(text)
        : Optional.empty();
  }

  /** The question in plain words; empty if the text is none. */
  static Optional<AuditQuestion> inWords(Message message) {
    String text = AnsweringAgent.text(message.getParts(), "\n");
    Matcher term = Words.TERM.matcher(text);
    if (!term.find()) {
      return Optional.empty();
    }
    Matcher event = Words.EVENT.matcher(text);
    if (event.find()) {
      return Optional.of(new Witness(term.group(1).strip(), event.group(1).strip()));
    }
    List<Example> examples = new ArrayList<>();
    Matcher example = Words.EXAMPLE.matcher(text);
    while (example.find()) {
      examples.add(
          new Example(example.group(2).strip(), assents(example.group(1).equals("applies"))));
    }
    return examples.isEmpty()
        ? Optional.empty()
        : Optional.of(new Offer(term.group(1).strip(), examples));
  }

  private static Answer assents(boolean yes) {
    return yes ? Answer.ASSENT : Answer.DISSENT;
  }
}
