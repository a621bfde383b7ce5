package dev.parlance.demo.debate;

import dev.parlance.demo.debate.ShownTerms.ShownTerm;
import dev.parlance.demo.license.LicenseTerms;
import dev.parlance.demo.license.LicenseTerms.TermReading.Answer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What goes on in an agent that decides what follows from clauses. It stands in for a language
 * model whose habits are known beforehand: it reads the conversation and the block of known terms
 * that it is given, and says the same whenever it has read the same. The officer asks, the scholar
 * reads the clauses that it is shown, the counsel knows the whole text.
 *
 * <ul>
 *   <li>It says a point at length, unless it was shown a term whose definition is about it.
 *   <li>Where coining is welcome and it says a point of its own at length that it has said or was
 *       told at length before, it coins the term.
 *   <li>The counsel challenges a definition under which a claim is open that another clause
 *       decides; the scholar repairs a term of its own that is contested.
 * </ul>
 */
public final class ClauseMind {
  /** Id of the third agent. */
  public static final String COUNSEL = "license-counsel";

  /** The agents, the one that asks first. */
  public static final List<String> AGENTS =
      List.of(LicenseTerms.OFFICER, LicenseTerms.SCHOLAR, COUNSEL);

  /** The two that have a word between them. */
  public static final List<String> CHAMBERS = List.of(COUNSEL, LicenseTerms.SCHOLAR);

  /** What the officer is asked for at last. */
  public static final String REPORT = "Report what became of all tasks.";

  /** A governed term from the start: what the text decides. */
  public static final String SETTLED = "settled";

  private static final String WELCOME = "Terms may be coined.";
  private static final Pattern TASK = Pattern.compile("Task (\\d+)\\.");
  private static final String FINDS = " finds it ";

  private final String name;
  private final Map<String, Memory> conversations = new HashMap<>();

  /** By term the definition that the agent was shown last. */
  private final Map<String, String> learnt = new HashMap<>();

  /** What the agent remembers of a conversation. */
  private static final class Memory {
    private final Set<ProofPoint> said = EnumSet.noneOf(ProofPoint.class);
    private final Set<ProofPoint> coined = EnumSet.noneOf(ProofPoint.class);
    private final Map<String, ProofPoint> decided = new LinkedHashMap<>();
    private ShownTerms shown = new ShownTerms("", "", List.of());
    private boolean welcome;
  }

  /** How an agent asks another one within a conversation. */
  @FunctionalInterface
  public interface Peers {
    /** What it answers; empty if nothing has come. */
    Optional<String> ask(String agent, String text);
  }

  /**
   * A mind.
   *
   * @param name the agent's id
   */
  public ClauseMind(String name) {
    this.name = name;
  }

  /** The words in which a task is put to the officer. */
  public static String task(int number, boolean welcome) {
    ClauseClaim claim = ClauseClaim.claims().get(number - 1);
    return "Task " + number + ". " + claim.text() + (welcome ? "\n" + WELCOME : "");
  }

  /** The answer to a message. */
  public synchronized String answer(String conversation, ShownTerms heard, Peers peers) {
    Memory memory = conversations.computeIfAbsent(conversation, _ -> new Memory());
    memory.shown = heard;
    heard.terms().forEach(one -> learnt.put(one.term(), one.definition()));
    memory.welcome |= heard.words().contains(WELCOME);
    if (heard.words().startsWith(REPORT)) {
      return report(memory);
    }
    Matcher task = TASK.matcher(heard.words());
    Optional<ClauseClaim> claim = ClauseClaim.in(heard.words());
    if (!task.lookingAt() || claim.isEmpty()) {
      return "I decide claims about clauses of the License.";
    }
    Asked asked = new Asked(task.group(1), claim.get(), heard.words());
    return switch (name) {
      case LicenseTerms.OFFICER -> officer(memory, asked, peers);
      case LicenseTerms.SCHOLAR -> scholar(memory, asked, peers);
      default -> counsel(memory, asked);
    };
  }

  /** A task as it was put. */
  private record Asked(String number, ClauseClaim claim, String words) {
    String head() {
      return "Task " + number + ".";
    }

    /** With what it says of terms. */
    String passedOn(String claimed) {
      return head() + " " + claimed + (words.contains(WELCOME) ? "\n" + WELCOME : "");
    }
  }

  // ---- the three ----

  private String officer(Memory memory, Asked asked, Peers peers) {
    Optional<ProofStatus> scholar =
        peers
            .ask(LicenseTerms.SCHOLAR, asked.passedOn(asked.claim().text()))
            .flatMap(ProofStatus::in);
    if (scholar.isEmpty()) {
      return asked.head() + " No verdict: " + LicenseTerms.SCHOLAR + " is not heard.";
    }
    ProofPoint found = ProofPoint.of(asked.claim(), scholar.get());
    Saying question = new Saying(memory);
    question.say(asked.passedOn(asked.claim().cited()) + "\n" + LicenseTerms.SCHOLAR + FINDS);
    question.say(scholar.get().code() + ": " + question.name(found) + ". Do you agree?");
    Optional<ProofStatus> counsel = peers.ask(COUNSEL, question.text()).flatMap(ProofStatus::in);
    if (counsel.isEmpty()) {
      return asked.head() + " No verdict: " + COUNSEL + " is not heard.";
    }
    // Who knows a clause that decides is right.
    ProofPoint last = ProofPoint.of(asked.claim(), counsel.get());
    memory.decided.put(asked.number(), last);
    Saying answer = new Saying(memory);
    answer.say(asked.head() + " " + counsel.get().verdict() + " ");
    answer.say(counsel.equals(scholar) ? "Both find " : "In the end it is ");
    answer.say(answer.name(last) + ".");
    return answer.text();
  }

  private String scholar(Memory memory, Asked asked, Peers peers) {
    ProofStatus status = asked.claim().underQuoted();
    ProofPoint point = ProofPoint.of(asked.claim(), status);
    if (point == ProofPoint.UNLINKED) {
      Saying question = new Saying(memory);
      question.say(asked.head() + " " + asked.claim().cited() + "\nBetween us: I take it for ");
      question.say(question.name(point) + ". You too?");
      Optional<String> _ = peers.ask(COUNSEL, question.text());
    }
    Saying answer = new Saying(memory);
    answer.say(asked.head() + " " + status.verdict() + " It is " + answer.name(point) + ".");
    memory
        .shown
        .termFor(ProofPoint.OPEN)
        .filter(term -> term.contested() && term.by().equals(name))
        .ifPresent(term -> answer.direct("REPAIR " + term.term() + " = " + ProofPoint.WIDE));
    return answer.text();
  }

  private String counsel(Memory memory, Asked asked) {
    ProofStatus status = asked.claim().status();
    ProofPoint point = ProofPoint.of(asked.claim(), status);
    boolean agrees =
        !asked.words().contains(FINDS) || asked.words().contains(FINDS + status.code());
    Saying answer = new Saying(memory);
    answer.say(asked.head() + " " + status.verdict() + " ");
    if (agrees) {
      answer.say("I agree, it is " + answer.name(point) + ".");
      return answer.text();
    }
    String deciding = "clause " + String.join(" and ", asked.claim().decidedBy());
    answer.say("I do not agree: by " + deciding + " it is " + answer.name(point) + ".");
    memory
        .shown
        .termFor(ProofPoint.OPEN)
        .filter(term -> !term.contested() && !ProofPoint.isWide(term.definition()))
        .ifPresent(term ->
            answer.direct(
                "CHALLENGE " + term.term() + ": " + deciding + " decides what this clause leaves"));
    return answer.text();
  }

  private String report(Memory memory) {
    Map<ProofPoint, List<String>> byPoint = new EnumMap<>(ProofPoint.class);
    memory.decided.forEach(
        (number, point) -> byPoint.computeIfAbsent(point, _ -> new ArrayList<>()).add(number));
    Saying report = new Saying(memory);
    report.say("All tasks.");
    byPoint.forEach((point, numbers) ->
        report.say(
            "\nTasks " + String.join(", ", numbers) + ": each is " + report.name(point) + "."));
    return report.text();
  }

  // ---- words ----

  /** A message that the agent makes. */
  private final class Saying {
    private final Memory memory;
    private final StringBuilder said = new StringBuilder();
    private final StringJoiner lines = new StringJoiner("\n", "\n", "").setEmptyValue("");
    private final List<String> coinages = new ArrayList<>();

    Saying(Memory memory) {
      this.memory = memory;
    }

    void say(String words) {
      said.append(words);
    }

    void direct(String line) {
      lines.add(line);
    }

    /** A point by its term, else at length. */
    String name(ProofPoint point) {
      Optional<ShownTerm> term = memory.shown.termFor(point);
      if (term.isPresent()) {
        return term.get().named();
      }
      boolean again = !memory.said.add(point) || memory.shown.words().contains(point.phrase());
      // Once is enough: whoever coins a term again has only not been shown it yet.
      if (!memory.welcome || !point.coiner().equals(name) || !again || !memory.coined.add(point)) {
        return point.phrase();
      }
      coinages.add(point.coinage());
      if (!point.rashly().isEmpty()) {
        coinages.add(point.rashly());
      }
      String rash = point == ProofPoint.OPEN ? ", uncertain as it is" : "";
      return point.phrase() + ", in short: " + point.term() + rash;
    }

    String text() {
      String part2 = coinages.isEmpty() ? "" : "\n[PART 2]\n" + String.join("\n", coinages);
      return said.toString() + lines + part2;
    }
  }

  /** What the agent says of a term on an event of an audit; neutral of one it does not know. */
  public synchronized Answer witness(String term, String event) {
    Optional<ClauseClaim> claim = ClauseClaim.in(event);
    if (claim.isEmpty()) {
      return Answer.NEUTRAL;
    }
    if (term.equals(SETTLED)) {
      return assents(claim.get().status() != ProofStatus.OPEN);
    }
    String definition = learnt.getOrDefault(term, "");
    ProofStatus status =
        ProofPoint.isWide(definition) ? claim.get().status() : claim.get().underQuoted();
    return ProofPoint.definedAs(definition)
        .map(point -> assents(ProofPoint.of(claim.get(), status) == point))
        .orElse(Answer.NEUTRAL);
  }

  private static Answer assents(boolean yes) {
    return yes ? Answer.ASSENT : Answer.DISSENT;
  }
}
