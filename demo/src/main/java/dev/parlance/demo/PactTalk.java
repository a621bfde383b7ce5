package dev.parlance.demo;

import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactEvent.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** A negotiation as people read it: who offers, counters, concedes and signs what. */
final class PactTalk {
  private final Map<String, Clause> clauses = new HashMap<>();
  private final List<Turn> turns = new ArrayList<>();

  /**
   * A clause as it stands now.
   *
   * @param writers who has written a body of it, this one or an earlier one
   */
  private record Clause(String body, Set<String> writers) {
    static final Clause NONE = new Clause("", Set.of());

    Clause {
      writers = Set.copyOf(writers);
    }

    Clause rewritten(String next, String by) {
      Set<String> all = new HashSet<>(writers);
      all.add(by);
      return new Clause(next, all);
    }
  }

  /**
   * All that a party says before the other one speaks.
   *
   * @param from who speaks
   * @param said what, each with its verb first
   * @param counters clauses that it puts otherwise than the other one
   * @param conceded clauses that it had put otherwise and now takes
   */
  record Turn(String from, List<String> said, int counters, int conceded) {
    Turn {
      said = List.copyOf(said);
    }
  }

  private PactTalk() {}

  /** The turns of a negotiation; the invitation is none. */
  static List<Turn> turns(List<PactEvent.Message> messages) {
    PactTalk talk = new PactTalk();
    messages.forEach(one -> talk.add(one.from(), one.body()));
    return List.copyOf(talk.turns);
  }

  private void add(String from, PactEvent.Body body) {
    switch (body) {
      case PactEvent.Proposal proposal -> {
        List<String> bodies = new ArrayList<>();
        proposal
            .predicates()
            .forEach(one -> {
              clauses.put(one.id(), Clause.NONE.rewritten(one.body(), from));
              bodies.add(one.body());
            });
        add(new Turn(from, List.of("offers " + String.join(", ", bodies)), 0, 0));
      }
      case PactEvent.Position position -> add(turn(from, position.responses()));
      case PactEvent.TemplateChoice choice ->
          add(new Turn(from, List.of(choice.decision() + "s " + choice.reference()), 0, 0));
      case PactEvent.Ratification _ -> add(new Turn(from, List.of("signs"), 0, 0));
      case PactEvent.Walkaway left ->
          add(new Turn(from, List.of("walks away: " + left.reason()), 0, 0));
      default -> {}
    }
  }

  private void add(Turn next) {
    if (turns.isEmpty() || !turns.getLast().from().equals(next.from())) {
      turns.add(next);
      return;
    }
    Turn last = turns.removeLast();
    turns.add(
        new Turn(
            next.from(),
            Stream.concat(last.said().stream(), next.said().stream()).toList(),
            last.counters() + next.counters(),
            last.conceded() + next.conceded()));
  }

  private Turn turn(String from, List<Response> responses) {
    // In the order in which it is said.
    Map<String, List<String>> said = new LinkedHashMap<>();
    for (String verb : List.of("concedes", "counters", "adds", "rejects", "accepts")) {
      said.put(verb, new ArrayList<>());
    }
    for (Response one : responses) {
      Clause was = clauses.getOrDefault(one.id(), Clause.NONE);
      String verb =
          switch (one.action()) {
            case "modify" -> "counters";
            case "add" -> "adds";
            case "accept" -> was.writers().contains(from) ? "concedes" : "accepts";
            default -> "rejects";
          };
      if (verb.equals("counters") || verb.equals("adds")) {
        clauses.put(one.id(), was.rewritten(one.body(), from));
      }
      said.merge(
          verb,
          List.of(
              switch (verb) {
                case "counters" -> one.body() + " for " + was.body();
                case "adds" -> one.body();
                default -> was.body();
              }),
          (all, more) -> Stream.concat(all.stream(), more.stream()).toList());
    }
    int counters = said.getOrDefault("counters", List.of()).size();
    int conceded = said.getOrDefault("concedes", List.of()).size();
    List<String> words = new ArrayList<>();
    said.forEach((verb, bodies) -> {
      if (!bodies.isEmpty()) {
        words.add(
            verb.equals("accepts")
                ? "accepts the other " + bodies.size()
                : verb + " " + String.join(", ", bodies));
      }
    });
    return new Turn(from, words, counters, conceded);
  }
}
