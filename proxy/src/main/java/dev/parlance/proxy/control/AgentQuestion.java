package dev.parlance.proxy.control;

import dev.parlance.policy.core.Names;
import dev.parlance.policy.core.TermKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** What an audit asks the local agent. */
public sealed interface AgentQuestion {
  /** Most UTF-8 bytes of an event's text (parlance.v1.AuditEvent). */
  int MAX_TEXT_BYTES = 8_192;

  /** Most UTF-8 bytes of a gloss. */
  int MAX_GLOSS_BYTES = 2_048;

  /** Most examples of an offer. */
  int MAX_EXAMPLES = 64;

  /** Domain of the term. */
  String domain();

  /** Key of the term. */
  String term();

  /** What the term means, in words. */
  Optional<String> gloss();

  /** Which words answer it. */
  Kind kind();

  /** Kind of a question, with the words of which exactly one answers it. */
  enum Kind {
    /** Does the term apply to the event? */
    WITNESS("verdict", "assent", "neutral", "dissent"),
    /** Will the agent adopt the other one's use of the term? */
    OFFER("reply", "adopt", "decline");

    private final String member;

    @SuppressWarnings("ImmutableEnumChecker") // List.of: cannot be changed
    private final List<String> words;

    Kind(String member, String... words) {
      this.member = member;
      this.words = List.of(words);
    }

    /** The member of the extension's object that holds the word. */
    String member() {
      return member;
    }

    List<String> words() {
      return words;
    }
  }

  /**
   * A public event (Definition 1).
   *
   * @param pei its public event identifier
   * @param text what happened; at most {@link #MAX_TEXT_BYTES}
   */
  record Event(String pei, String text) {
    /** Refuses an event without identifier or text. */
    public Event {
      Names.checked(pei);
      checkText("an event's text", text, MAX_TEXT_BYTES);
    }
  }

  /** Does the term apply to the event? (Definition 2) */
  record Witness(String domain, String term, Optional<String> gloss, Event event)
      implements AgentQuestion {
    /** Refuses what is no question. */
    public Witness {
      check(domain, term, gloss);
    }

    @Override
    public Kind kind() {
      return Kind.WITNESS;
    }
  }

  /**
   * How another agent uses a term, offered for adoption (section 4.2).
   *
   * @param from id of that agent
   * @param examples how it has judged, 1 to {@link #MAX_EXAMPLES}
   */
  record Offer(
      String domain, String term, Optional<String> gloss, String from, List<Example> examples)
      implements AgentQuestion {
    /** Refuses what is no offer. */
    public Offer {
      check(domain, term, gloss);
      Names.checked(from);
      examples = List.copyOf(examples);
      if (examples.isEmpty() || examples.size() > MAX_EXAMPLES) {
        throw new IllegalArgumentException(
            "expected 1 to " + MAX_EXAMPLES + " examples, got " + examples.size());
      }
    }

    @Override
    public Kind kind() {
      return Kind.OFFER;
    }
  }

  /**
   * One verdict of the other agent.
   *
   * @param verdict assent or dissent
   */
  record Example(Event event, String verdict) {
    /** Refuses any other word. */
    public Example {
      if (!verdict.equals("assent") && !verdict.equals("dissent")) {
        throw new IllegalArgumentException("expected assent or dissent, got \"" + verdict + "\"");
      }
    }
  }

  private static void check(String domain, String term, Optional<String> gloss) {
    Names.checked(domain);
    TermKey.checked(term);
    gloss.ifPresent(text -> checkText("a gloss", text, MAX_GLOSS_BYTES));
  }

  private static void checkText(String what, String text, int maxBytes) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (text.isBlank() || bytes > maxBytes) {
      throw new IllegalArgumentException(
          "expected " + what + " of 1 to " + maxBytes + " bytes, got " + bytes);
    }
  }
}
