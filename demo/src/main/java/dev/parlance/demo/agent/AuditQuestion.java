package dev.parlance.demo.agent;

import dev.parlance.demo.license.LicenseTerms.TermReading.Answer;
import dev.parlance.demo.license.Usage;
import dev.parlance.demo.license.Usage.Example;
import io.a2a.server.agentexecution.AgentExecutor;
import io.a2a.server.agentexecution.RequestContext;
import io.a2a.server.events.EventQueue;
import io.a2a.spec.Event;
import io.a2a.spec.JSONRPCError;
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
 *
 * @param term the word
 * @param event what is told; empty: the examples are an offer to use the word as they show
 * @param examples of another agent's use
 */
record AuditQuestion(String term, Optional<String> event, List<Example> examples) {
  private static final Pattern TERM = Pattern.compile("(?m)^Term: (.+)$");
  private static final Pattern EVENT = Pattern.compile("(?m)^Event: (.+)$");
  private static final Pattern EXAMPLE =
      Pattern.compile("(?m)^- it (applies|does not apply) to: (.+)$");
  private static final String ORDER = "order:";

  AuditQuestion {
    examples = List.copyOf(examples);
  }

  /** The question in the extension's object; empty if there is none that can be read. */
  static Optional<AuditQuestion> inExtension(Message message) {
    if (message.getMetadata() == null
        || !(message.getMetadata().get(Extensions.AUDIT) instanceof Map<?, ?> object)
        || !(object.get("term") instanceof String term)) {
      return Optional.empty();
    }
    if ("witness".equals(object.get("kind"))) {
      return eventText(object).map(text -> new AuditQuestion(term, Optional.of(text), List.of()));
    }
    if (!(object.get("examples") instanceof List<?> list)) {
      return Optional.empty();
    }
    List<Example> examples = new ArrayList<>();
    for (Object one : list) {
      if (one instanceof Map<?, ?> example && example.get("verdict") instanceof String verdict) {
        eventText(example)
            .ifPresent(
                text -> examples.add(new Example(text, Answer.of(verdict.equals("assent")))));
      }
    }
    return Optional.of(new AuditQuestion(term, Optional.empty(), examples));
  }

  private static Optional<String> eventText(Map<?, ?> object) {
    return object.get("event") instanceof Map<?, ?> event
        ? Optional.ofNullable(event.get("text")).map(Object::toString)
        : Optional.empty();
  }

  /** The question in plain words; empty if the text is none. */
  static Optional<AuditQuestion> inWords(Message message) {
    String text = AnsweringAgent.text(message.getParts(), "\n");
    Matcher term = TERM.matcher(text);
    if (!term.find()) {
      return Optional.empty();
    }
    Matcher event = EVENT.matcher(text);
    Optional<String> told = event.find() ? Optional.of(event.group(1).strip()) : Optional.empty();
    List<Example> examples =
        EXAMPLE
            .matcher(text)
            .results()
            .map(
                one -> new Example(one.group(2).strip(), Answer.of(one.group(1).equals("applies"))))
            .toList();
    return told.isEmpty() && examples.isEmpty()
        ? Optional.empty()
        : Optional.of(new AuditQuestion(term.group(1).strip(), told, examples));
  }

  /** How an agent reads and answers questions about words. */
  enum Form {
    /** In the audit extension's object. */
    EXTENSION,
    /** In plain words, like an agent that knows no extension. */
    PLAIN;

    /**
     * An agent that besides its own work says how it uses words, and does what it is ordered:
     * {@code order: <text>} is noted and confirmed.
     */
    AgentExecutor before(AnsweringAgent own, Usage usage) {
      return new AnsweringAgent() {
        @Override
        public void execute(RequestContext context, EventQueue queue) throws JSONRPCError {
          if (question(context).isPresent()
              || context.getUserInput("\n").strip().startsWith(ORDER)) {
            queue.enqueueEvent(answer(context));
          } else {
            own.execute(context, queue);
          }
        }

        @Override
        public Event answer(RequestContext context) {
          return question(context)
              .map(asked -> {
                String word =
                    asked.event().isPresent()
                        ? usage.answer(asked.term(), asked.event().get()).word()
                        : usage.adopt(asked.term(), asked.examples()).isPresent()
                            ? "adopt"
                            : "decline";
                String member = asked.event().isPresent() ? "verdict" : "reply";
                return AnsweringAgent.message(
                    context,
                    word,
                    Form.this == EXTENSION
                        ? Map.of(Extensions.AUDIT, Map.of(member, word))
                        : Map.of());
              })
              .orElseGet(
                  () -> AnsweringAgent.message(context, "Noted, and done as ordered.", Map.of()));
        }
      };
    }

    private Optional<AuditQuestion> question(RequestContext context) {
      return this == EXTENSION ? inExtension(context.getMessage()) : inWords(context.getMessage());
    }
  }
}
