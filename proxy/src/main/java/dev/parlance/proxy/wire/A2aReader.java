package dev.parlance.proxy.wire;

import dev.parlance.policy.text.Utf8Span;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the objects of one A2A body or event, wherever a binding puts them: messages, tasks, lists
 * of tasks, updates of status and artifacts. What they say goes into a transcript, what they rest
 * on into the evidence, and where verdicts go or hide into the places.
 */
final class A2aReader {
  /** The unit of a message in the transcript. */
  private static final String MESSAGE = "";

  private static final Set<String> MESSAGE_NAMES =
      Set.of("parts", "content", "metadata", "extensions");
  private static final Set<String> MESSAGE_READ = Set.of("parts");
  private static final Set<String> MESSAGE_BOTH_READ = Set.of("parts", "content");
  private static final Set<String> MESSAGE_QUIET =
      Set.of("messageId", "contextId", "taskId", "role", "kind", "extensions", "referenceTaskIds");
  private static final Set<String> TASK_NAMES =
      Set.of("artifacts", "status", "history", "metadata");
  private static final Set<String> TASK_READ = Set.of("artifacts", "status", "history");
  private static final Set<String> TASK_QUIET = Set.of("id", "contextId", "kind");
  private static final Set<String> STATUS_NAMES = Set.of("message", "state");
  private static final Set<String> STATUS_READ = Set.of("message");
  private static final Set<String> STATUS_QUIET = Set.of("state", "timestamp");
  private static final Set<String> ARTIFACT_NAMES =
      Set.of("parts", "metadata", "extensions", "name", "description", "artifactId");
  private static final Set<String> ARTIFACT_READ = Set.of("parts", "name", "description");
  private static final Set<String> ARTIFACT_QUIET = Set.of("artifactId", "extensions", "kind");
  private static final Set<String> STATUS_UPDATE_NAMES = Set.of("status", "metadata", "final");
  private static final Set<String> STATUS_UPDATE_READ = Set.of("status");
  private static final Set<String> ARTIFACT_UPDATE_NAMES =
      Set.of("artifact", "append", "lastChunk", "metadata");
  private static final Set<String> ARTIFACT_UPDATE_READ = Set.of("artifact");
  private static final Set<String> UPDATE_QUIET = Set.of("taskId", "contextId", "kind");

  private final JsonDocument json;
  private final A2aTranscript transcript;
  private final EvidenceReader evidence;
  private final A2aPlaces places;
  private final A2aSideTexts sideTexts;
  private final A2aParts parts;
  private final Set<String> unread = new TreeSet<>();
  private Optional<String> fault = Optional.empty();
  private A2aState state = A2aState.UNKNOWN;
  private boolean statusText;
  private String artifact = "";

  /** A reader of one document. */
  A2aReader(JsonDocument json, A2aTranscript transcript, EvidenceReader evidence) {
    this.json = json;
    this.transcript = transcript;
    this.evidence = evidence;
    this.places = new A2aPlaces(json);
    this.sideTexts = new A2aSideTexts(json, transcript, places);
    this.parts = new A2aParts(json, transcript, sideTexts, places);
  }

  /** Reads a message that is the answer, or the request. */
  void message(int message) {
    transcript.begin(MESSAGE);
    places.annotated(message);
    places.speaks(message);
    messageInto(message, MESSAGE);
  }

  /** Reads parts, evidence and side texts of a message. */
  private void messageInto(int message, String unit) {
    expectSpelling(message, MESSAGE_NAMES);
    int content = json.present(message, "content");
    boolean both = json.isArray(content);
    parts.read(json.member(message, "parts"), unit, false);
    if (both) {
      parts.read(content, unit, false);
    }
    evidence.addMetadata(json, json.member(message, "metadata"));
    sideTexts.members(message, both ? MESSAGE_BOTH_READ : MESSAGE_READ, MESSAGE_QUIET);
  }

  /**
   * Reads a task.
   *
   * @param key tells it from other tasks in the transcript
   */
  void task(int task, String key) {
    expectSpelling(task, TASK_NAMES);
    places.annotatedTask(task);
    places.speaks(task);
    artifacts(json.present(task, "artifacts"), key);
    evidence.addMetadata(json, json.member(task, "metadata"));
    sideTexts.members(task, TASK_READ, TASK_QUIET);
    int status = json.present(task, "status");
    status(status, key);
    history(json.present(task, "history"));
  }

  private void artifacts(int artifacts, String key) {
    expect(artifacts, json.isArray(artifacts), "artifacts is not an array");
    Set<String> units = new HashSet<>();
    int index = 0;
    int at = json.isArray(artifacts) ? json.first(artifacts) : JsonDocument.NONE;
    while (at != JsonDocument.NONE) {
      String unit = unit(key, at);
      if (!units.add(unit)) {
        unit = unit + '\0' + index;
      }
      artifact(at, unit, false);
      index++;
      at = json.nextElement(artifacts, at);
    }
  }

  private String unit(String key, int artifactNode) {
    String id = json.optionalString(json.member(artifactNode, "artifactId")).orElse("");
    return key + '\0' + id;
  }

  private void artifact(int node, String unit, boolean append) {
    expect(node, json.isObject(node), "an artifact is not an object");
    if (!json.isObject(node)) {
      return;
    }
    if (transcript.isFull() && !transcript.has(unit)) {
      fault =
          fault.or(() -> Optional.of("more than " + A2aTranscript.MAX_ARTIFACTS + " artifacts"));
      return;
    }
    expectSpelling(node, ARTIFACT_NAMES);
    places.speaks(node);
    if (!append) {
      transcript.begin(unit);
    }
    int before = transcript.news();
    parts.read(json.member(node, "parts"), unit, true);
    if (transcript.news() > before) {
      places.annotated(node);
    } else {
      places.stripped(node);
    }
    evidence.addMetadata(json, json.member(node, "metadata"));
    sideText(json.present(node, "name"), A2aTranscript.Side.NAME);
    sideText(json.present(node, "description"), A2aTranscript.Side.NAME);
    sideTexts.members(node, ARTIFACT_READ, ARTIFACT_QUIET);
  }

  private void sideText(int node, A2aTranscript.Side kind) {
    if (json.isString(node)) {
      transcript.side(kind, json.text(node));
    } else if (node != JsonDocument.NONE) {
      sideTexts.every(node);
    }
  }

  private void status(int status, String key) {
    expect(status, json.isObject(status), "status is not an object");
    if (!json.isObject(status)) {
      return;
    }
    expectSpelling(status, STATUS_NAMES);
    state = A2aState.of(json.optionalString(json.member(status, "state")));
    places.stripped(status);
    sideTexts.members(status, STATUS_READ, STATUS_QUIET);
    int message = json.present(status, "message");
    expect(message, json.isObject(message), "the message of status is not an object");
    if (!json.isObject(message)) {
      transcript.silentStatus(key);
      return;
    }
    places.speaks(message);
    A2aTranscript own = A2aTranscript.ofOne();
    beside(message, own);
    statusText = own.hasArtifactText();
    boolean answers = statusText && !transcript.hasArtifactText();
    if (statusText) {
      transcript.status(key, own.text());
    } else {
      transcript.silentStatus(key);
    }
    if (answers) {
      places.annotated(message);
    } else {
      places.stripped(message);
    }
  }

  /** Reads a message that is a unit of its own; its side texts are the transcript's. */
  private void beside(int message, A2aTranscript own) {
    expectSpelling(message, MESSAGE_NAMES);
    A2aParts other = new A2aParts(json, own, sideTexts, places);
    other.read(json.member(message, "parts"), MESSAGE, false);
    int content = json.present(message, "content");
    boolean both = json.isArray(content);
    if (both) {
      other.read(content, MESSAGE, false);
    }
    fault = fault.or(other::fault);
    if (other.unreadPart()) {
      unread.add("binary_part");
    }
    evidence.addMetadata(json, json.member(message, "metadata"));
    sideTexts.members(message, both ? MESSAGE_BOTH_READ : MESSAGE_READ, MESSAGE_QUIET);
  }

  private void history(int history) {
    expect(history, json.isArray(history), "history is not an array");
    int entry = json.isArray(history) ? json.first(history) : JsonDocument.NONE;
    while (entry != JsonDocument.NONE) {
      expect(entry, json.isObject(entry), "an entry of history is not an object");
      A2aTranscript own = A2aTranscript.ofOne();
      beside(entry, own);
      Utf8Span text = own.text();
      // What the asker said comes back with the verdict that a sidecar put on it: no forgery.
      if (own.isEmpty() || !transcript.knows(text)) {
        transcript.side(A2aTranscript.Side.HISTORY, text);
        places.stripped(entry);
      } else {
        places.echoed(entry);
      }
      entry = json.nextElement(history, entry);
    }
  }

  /** Reads a change of a task's status. */
  void statusUpdate(int update) {
    expectSpelling(update, STATUS_UPDATE_NAMES);
    expectBoolean(update, "final");
    places.annotatedTask(update);
    evidence.addMetadata(json, json.member(update, "metadata"));
    sideTexts.members(update, STATUS_UPDATE_READ, UPDATE_QUIET);
    status(json.present(update, "status"), taskId(update));
    if (json.isTrue(json.member(update, "final")) && !state.isSettled()) {
      state = A2aState.ENDED;
    }
  }

  /** Reads an artifact, or a chunk of one. */
  void artifactUpdate(int update) {
    expectSpelling(update, ARTIFACT_UPDATE_NAMES);
    expectBoolean(update, "append");
    expectBoolean(update, "lastChunk");
    places.stripped(update);
    evidence.addMetadata(json, json.member(update, "metadata"));
    sideTexts.members(update, ARTIFACT_UPDATE_READ, UPDATE_QUIET);
    int node = json.present(update, "artifact");
    if (!json.isObject(node)) {
      fault = fault.or(() -> Optional.of("an artifact is not an object"));
      return;
    }
    artifact = unit(taskId(update), node);
    artifact(node, artifact, json.isTrue(json.member(update, "append")));
  }

  private String taskId(int update) {
    return json.optionalString(json.member(update, "taskId")).orElse("");
  }

  /** Reads every string of members that belong to no A2A object, except those named. */
  void strangers(int object, Set<String> known) {
    sideTexts.members(object, known, Set.of());
  }

  /** For what belongs to a binding and not to A2A's objects. */
  A2aSideTexts sideTexts() {
    return sideTexts;
  }

  /** What stands in the place of agent text and has another shape could be shown all the same. */
  private void expect(int node, boolean fits, String why) {
    if (node != JsonDocument.NONE && !fits && fault.isEmpty()) {
      fault = Optional.of(why);
    }
  }

  private void expectBoolean(int object, String name) {
    int node = json.present(object, name);
    expect(node, json.isBoolean(node), name + " is not a boolean");
  }

  private void expectSpelling(int object, Set<String> names) {
    if (fault.isEmpty()) {
      fault =
          json.misspelt(object, names).map(name -> "member " + name + " is spelt in other case");
    }
  }

  /** What makes the objects no A2A objects. */
  Optional<String> fault() {
    return fault.or(parts::fault).or(places::fault);
  }

  /** Codes of what nobody can read. */
  Set<String> unread() {
    if (parts.unreadPart()) {
      unread.add("binary_part");
    }
    return unread;
  }

  /** Where verdicts go or hide. */
  A2aPlaces places() {
    return places;
  }

  /** The state that a status told, the last one if there were several. */
  A2aState state() {
    return state;
  }

  /** True if a status had text. */
  boolean hasStatusText() {
    return statusText;
  }

  /** The unit of the artifact that an update was about. */
  String artifactUnit() {
    return artifact;
  }
}
