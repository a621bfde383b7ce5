package dev.parlance.demo;

import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactEvent.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
    Optional<Turn> last = turns.isEmpty() ? Optional.empty() : Optional.of(turns.getLast());
    if (last.filter(turn -> turn.from().equals(next.from())).isEmpty()) {
      turns.add(next);
      return;
    }
    List<String> said = new ArrayList<>(last.get().said());
    said.addAll(next.said());
    turns.set(
        turns.size() - 1,
        new Turn(
            next.from(),
            said,
            last.get().counters() + next.counters(),
            last.get().conceded() + next.conceded()));
  }

  private Turn turn(String from, List<Response> responses) {
    List<String> countered = new ArrayList<>();
    List<String> added = new ArrayList<>();
    List<String> conceded = new ArrayList<>();
    List<String> accepted = new ArrayList<>();
    List<String> rejected = new ArrayList<>();
    for (Response one : responses) {
      Clause was = clauses.getOrDefault(one.id(), Clause.NONE);
      switch (one.action()) {
        case "modify" -> {
          countered.add(one.body() + " for " + was.body());
          clauses.put(one.id(), was.rewritten(one.body(), from));
        }
        case "add" -> {
          added.add(one.body());
          clauses.put(one.id(), was.rewritten(one.body(), from));
        }
        case "accept" -> (was.writers().contains(from) ? conceded : accepted).add(was.body());
        default -> rejected.add(was.body());
      }
    }
    List<String> said = new ArrayList<>();
    said("concedes", conceded).ifPresent(said::add);
    said("counters", countered).ifPresent(said::add);
    said("adds", added).ifPresent(said::add);
    said("rejects", rejected).ifPresent(said::add);
    if (!accepted.isEmpty()) {
      said.add("accepts the other " + accepted.size());
    }
    return new Turn(from, said, countered.size(), conceded.size());
  }

  private static Optional<String> said(String verb, List<String> bodies) {
    return bodies.isEmpty()
        ? Optional.empty()
        : Optional.of(verb + " " + String.join(", ", bodies));
  }
}
