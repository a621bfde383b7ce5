package dev.parlance.proxy.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What an answer or an event of A2A is: a message, a task, a change of status or a piece of an
 * artifact.
 *
 * @param kind which of them
 * @param node the object itself
 */
record A2aUnion(Kind kind, int node) {
  /** The kinds of answers and events. */
  enum Kind {
    /** A message. */
    MESSAGE("message", "message"),
    /** A task. */
    TASK("task", "task"),
    /** A change of a task's status. */
    STATUS("statusUpdate", "status-update"),
    /** An artifact or a chunk of one. */
    ARTIFACT("artifactUpdate", "artifact-update");

    private final String member;
    private final String kindName;

    Kind(String member, String kindName) {
      this.member = member;
      this.kindName = kindName;
    }

    /** The member that holds it. */
    String member() {
      return member;
    }

    /** Its {@code kind} in v0.3. */
    String kindName() {
      return kindName;
    }
  }

  /** Members that hold one of the kinds. */
  static final Set<String> MEMBERS = Set.of("message", "task", "statusUpdate", "artifactUpdate");

  /** Where an object of v0.3 keeps its text, right in the result. */
  private static final Set<String> OLD_MEMBERS =
      Set.of("parts", "artifacts", "artifact", "status", "history");

  /** Of these, what belongs to each kind of v0.3. */
  private static final Map<Kind, Set<String>> OWN =
      Map.of(
          Kind.MESSAGE, Set.of("parts"),
          Kind.TASK, Set.of("artifacts", "status", "history"),
          Kind.STATUS, Set.of("status"),
          Kind.ARTIFACT, Set.of("artifact"));

  /** The answer in a result, or why there is none that everybody would read in the same way. */
  static Reading<A2aUnion> read(JsonDocument json, int result, A2aForm form) {
    if (!json.isObject(result)) {
      return new Reading.Unjudged<>("shape");
    }
    Optional<String> misspelt = json.misspelt(result, MEMBERS);
    if (misspelt.isPresent()) {
      return bad("member " + misspelt.get() + " of the result is spelt in other case");
    }
    return form.discriminated() ? readKind(json, result) : readMember(json, result);
  }

  private static Reading<A2aUnion> readMember(JsonDocument json, int result) {
    List<A2aUnion> found = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      int node = json.present(result, kind.member());
      if (node != JsonDocument.NONE) {
        found.add(new A2aUnion(kind, node));
      }
    }
    if (found.size() > 1 || holdsAny(json, result, OLD_MEMBERS, Set.of())) {
      return several();
    }
    return found.isEmpty() || !json.isObject(found.getFirst().node())
        ? new Reading.Unjudged<>("shape")
        : new Reading.Readable<>(found.getFirst());
  }

  private static Reading<A2aUnion> readKind(JsonDocument json, int result) {
    Optional<String> name = json.optionalString(json.member(result, "kind"));
    for (Kind kind : Kind.values()) {
      if (name.equals(Optional.of(kind.kindName()))) {
        boolean more =
            holdsAny(json, result, MEMBERS, Set.of())
                || holdsAny(json, result, OLD_MEMBERS, OWN.getOrDefault(kind, Set.of()));
        return more ? several() : new Reading.Readable<>(new A2aUnion(kind, result));
      }
    }
    return new Reading.Unjudged<>("shape");
  }

  private static boolean holdsAny(
      JsonDocument json, int result, Set<String> names, Set<String> except) {
    return names.stream()
        .filter(name -> !except.contains(name))
        .anyMatch(name -> json.present(result, name) != JsonDocument.NONE);
  }

  /** One receiver would show the one, another the other; only one of them could be judged. */
  private static Reading<A2aUnion> several() {
    return bad("several answers in one result");
  }

  private static Reading<A2aUnion> bad(String why) {
    return new Reading.Malformed<>(
        WireFault.BAD_MESSAGE, why + "; expected one message, task or update in the result");
  }
}
