package dev.parlance.wire.a2a;

import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.MemberName;
import java.util.Optional;

/**
 * The payload of an answer or an event of A2A: a message, a task, a change of status or a piece of
 * an artifact.
 *
 * @param kind which of them
 * @param node the object itself
 */
record A2aPayload(Kind kind, int node) {
  /** The kinds of answers and events. */
  enum Kind {
    /** A message. */
    MESSAGE(MemberName.MESSAGE, "message"),
    /** A task. */
    TASK(MemberName.TASK, "task"),
    /** A change of a task's status. */
    STATUS(MemberName.STATUS_UPDATE, "status-update"),
    /** An artifact or a chunk of one. */
    ARTIFACT(MemberName.ARTIFACT_UPDATE, "artifact-update");

    private final MemberName member;
    private final String kindName;

    Kind(MemberName member, String kindName) {
      this.member = member;
      this.kindName = kindName;
    }

    /** The member that holds it. */
    MemberName member() {
      return member;
    }

    /** Its {@code kind} in v0.3. */
    String kindName() {
      return kindName;
    }
  }

  private static final Kind[] KINDS = Kind.values();

  /** Members that hold one of the kinds. */
  static final long MEMBERS =
      MemberName.set(
          MemberName.MESSAGE,
          MemberName.TASK,
          MemberName.STATUS_UPDATE,
          MemberName.ARTIFACT_UPDATE);

  /** Where an object of v0.3 keeps its text, right in the result. */
  private static final long OLD_MEMBERS =
      MemberName.set(
          MemberName.PARTS,
          MemberName.ARTIFACTS,
          MemberName.ARTIFACT,
          MemberName.STATUS,
          MemberName.HISTORY);

  /** Of these, what belongs to a kind of v0.3. */
  private static long own(Kind kind) {
    return switch (kind) {
      case MESSAGE -> MemberName.set(MemberName.PARTS);
      case TASK -> MemberName.set(MemberName.ARTIFACTS, MemberName.STATUS, MemberName.HISTORY);
      case STATUS -> MemberName.set(MemberName.STATUS);
      case ARTIFACT -> MemberName.set(MemberName.ARTIFACT);
    };
  }

  /** The answer in a result, or why there is none that everybody would read in the same way. */
  static Reading<A2aPayload> read(JsonDocument json, int result, A2aFormat format) {
    if (!json.isObject(result)) {
      return new Reading.Unjudged<>("shape");
    }
    Optional<MemberName> misspelt = json.misspelt(result, MEMBERS);
    if (misspelt.isPresent()) {
      return bad("member " + misspelt.get().text() + " of the result is spelt in other case");
    }
    return format.discriminated() ? readKind(json, result) : readMember(json, result);
  }

  private static Reading<A2aPayload> readMember(JsonDocument json, int result) {
    if (holdsAny(json, result, OLD_MEMBERS)) {
      return several();
    }
    int found = JsonDocument.NONE;
    Kind kind = Kind.MESSAGE;
    for (Kind candidate : KINDS) {
      int node = json.present(result, candidate.member());
      if (node != JsonDocument.NONE && found != JsonDocument.NONE) {
        return several();
      }
      if (node != JsonDocument.NONE) {
        found = node;
        kind = candidate;
      }
    }
    return json.isObject(found)
        ? new Reading.Readable<>(new A2aPayload(kind, found))
        : new Reading.Unjudged<>("shape");
  }

  private static Reading<A2aPayload> readKind(JsonDocument json, int result) {
    Optional<String> name = json.optionalString(json.member(result, MemberName.KIND));
    for (Kind kind : KINDS) {
      if (name.equals(Optional.of(kind.kindName()))) {
        boolean more =
            holdsAny(json, result, MEMBERS) || holdsAny(json, result, OLD_MEMBERS & ~own(kind));
        return more ? several() : new Reading.Readable<>(new A2aPayload(kind, result));
      }
    }
    return new Reading.Unjudged<>("shape");
  }

  /** True if what is something else, an error, is an object that holds an answer too. */
  static boolean isIn(JsonDocument json, int object) {
    if (!json.isObject(object)) {
      return false;
    }
    long strings = MemberName.set(MemberName.MESSAGE, MemberName.STATUS);
    return holdsAny(json, object, (MEMBERS | OLD_MEMBERS) & ~strings)
        || json.isObject(json.member(object, MemberName.MESSAGE))
        || json.isObject(json.member(object, MemberName.STATUS));
  }

  private static boolean holdsAny(JsonDocument json, int result, long members) {
    int name = json.first(result);
    while (name != JsonDocument.NONE) {
      if (json.isAmong(name, members) && !json.isNull(name + 1)) {
        return true;
      }
      name = json.nextName(result, name);
    }
    return false;
  }

  /** One receiver would show the one, another the other; only one of them could be judged. */
  private static Reading<A2aPayload> several() {
    return bad("several answers in one result");
  }

  private static Reading<A2aPayload> bad(String why) {
    return new Reading.Malformed<>(
        WireFault.BAD_MESSAGE, why + "; expected one message, task or update in the result");
  }
}
