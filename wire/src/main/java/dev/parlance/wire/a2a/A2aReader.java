package dev.parlance.wire.a2a;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.Member;
import dev.parlance.wire.metadata.EvidenceReader;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the objects of one A2A body or event, wherever a binding puts them: messages, tasks, lists
 * of tasks, updates of status and artifacts. What they say goes into a transcript, what they rest
 * on into the evidence, and where verdicts go or hide into the places.
 */
final class A2aReader {
  /** The unit of a message in the transcript. */
  private static final String MESSAGE = "";

  private static final List<String> BINARY_PART = List.of("binary_part");

  private static final long MESSAGE_NAMES =
      Member.set(Member.PARTS, Member.CONTENT, Member.METADATA, Member.EXTENSIONS);
  private static final long MESSAGE_READ = Member.set(Member.PARTS);
  private static final long MESSAGE_BOTH_READ = Member.set(Member.PARTS, Member.CONTENT);
  private static final long MESSAGE_QUIET =
      Member.set(
          Member.MESSAGE_ID,
          Member.CONTEXT_ID,
          Member.TASK_ID,
          Member.ROLE,
          Member.KIND,
          Member.EXTENSIONS,
          Member.REFERENCE_TASK_IDS);
  private static final long TASK_NAMES =
      Member.set(Member.ARTIFACTS, Member.STATUS, Member.HISTORY, Member.METADATA);
  private static final long TASK_READ = Member.set(Member.ARTIFACTS, Member.STATUS, Member.HISTORY);
  private static final long TASK_QUIET = Member.set(Member.ID, Member.CONTEXT_ID, Member.KIND);
  private static final long STATUS_NAMES = Member.set(Member.MESSAGE, Member.STATE);
  private static final long STATUS_READ = Member.set(Member.MESSAGE);
  private static final long STATUS_QUIET = Member.set(Member.STATE, Member.TIMESTAMP);
  private static final long ARTIFACT_NAMES =
      Member.set(
          Member.PARTS,
          Member.METADATA,
          Member.EXTENSIONS,
          Member.NAME,
          Member.DESCRIPTION,
          Member.ARTIFACT_ID);
  private static final long ARTIFACT_READ =
      Member.set(Member.PARTS, Member.NAME, Member.DESCRIPTION);
  private static final long ARTIFACT_QUIET =
      Member.set(Member.ARTIFACT_ID, Member.EXTENSIONS, Member.KIND);
  private static final long STATUS_UPDATE_NAMES =
      Member.set(Member.STATUS, Member.METADATA, Member.FINAL);
  private static final long STATUS_UPDATE_READ = Member.set(Member.STATUS);
  private static final long ARTIFACT_UPDATE_NAMES =
      Member.set(Member.ARTIFACT, Member.APPEND, Member.LAST_CHUNK, Member.METADATA);
  private static final long ARTIFACT_UPDATE_READ = Member.set(Member.ARTIFACT);
  private static final long UPDATE_QUIET =
      Member.set(Member.TASK_ID, Member.CONTEXT_ID, Member.KIND);

  private final JsonDocument json;
  private final A2aTranscript transcript;
  private final EvidenceReader evidence;
  private final A2aTextSites places;
  private final A2aSideTexts sideTexts;
  private final A2aParts parts;
  private boolean unreadPart;
  private Optional<String> fault = Optional.empty();
  private A2aState state = A2aState.UNKNOWN;
  private boolean statusText;
  private String artifact = "";

  /** A reader of one document. */
  A2aReader(JsonDocument json, A2aTranscript transcript, EvidenceReader evidence) {
    this.json = json;
    this.transcript = transcript;
    this.evidence = evidence;
    this.places = new A2aTextSites(json);
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
    int content = json.present(message, Member.CONTENT);
    boolean both = json.isArray(content);
    parts.read(json.member(message, Member.PARTS), unit, false);
    if (both) {
      parts.read(content, unit, false);
    }
    evidence.addMetadata(json, json.member(message, Member.METADATA));
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
    artifacts(json.present(task, Member.ARTIFACTS), key);
    evidence.addMetadata(json, json.member(task, Member.METADATA));
    sideTexts.members(task, TASK_READ, TASK_QUIET);
    int status = json.present(task, Member.STATUS);
    status(status, key);
    history(json.present(task, Member.HISTORY));
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
    String id = json.optionalString(json.member(artifactNode, Member.ARTIFACT_ID)).orElse("");
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
    parts.read(json.member(node, Member.PARTS), unit, true);
    if (transcript.news() > before) {
      places.annotated(node);
    } else {
      places.stripped(node);
    }
    evidence.addMetadata(json, json.member(node, Member.METADATA));
    sideText(json.present(node, Member.NAME), A2aTranscript.Side.NAME);
    sideText(json.present(node, Member.DESCRIPTION), A2aTranscript.Side.NAME);
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
    state = A2aState.of(json.optionalString(json.member(status, Member.STATE)));
    places.stripped(status);
    sideTexts.members(status, STATUS_READ, STATUS_QUIET);
    int message = json.present(status, Member.MESSAGE);
    expect(message, json.isObject(message), "the message of status is not an object");
    if (!json.isObject(message)) {
      transcript.silentStatus(key);
      return;
    }
    places.speaks(message);
    A2aTranscript own = transcript.ofOne();
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
    other.read(json.member(message, Member.PARTS), MESSAGE, false);
    int content = json.present(message, Member.CONTENT);
    boolean both = json.isArray(content);
    if (both) {
      other.read(content, MESSAGE, false);
    }
    fault = fault.or(other::fault);
    if (other.unreadPart()) {
      unreadPart = true;
    }
    evidence.addMetadata(json, json.member(message, Member.METADATA));
    sideTexts.members(message, both ? MESSAGE_BOTH_READ : MESSAGE_READ, MESSAGE_QUIET);
  }

  private void history(int history) {
    expect(history, json.isArray(history), "history is not an array");
    int entry = json.isArray(history) ? json.first(history) : JsonDocument.NONE;
    while (entry != JsonDocument.NONE) {
      expect(entry, json.isObject(entry), "an entry of history is not an object");
      A2aTranscript own = transcript.ofOne();
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
    expectBoolean(update, Member.FINAL);
    places.annotatedTask(update);
    evidence.addMetadata(json, json.member(update, Member.METADATA));
    sideTexts.members(update, STATUS_UPDATE_READ, UPDATE_QUIET);
    status(json.present(update, Member.STATUS), taskId(update));
    if (json.isTrue(json.member(update, Member.FINAL)) && !state.isSettled()) {
      state = A2aState.ENDED;
    }
  }

  /** Reads an artifact, or a chunk of one. */
  void artifactUpdate(int update) {
    expectSpelling(update, ARTIFACT_UPDATE_NAMES);
    expectBoolean(update, Member.APPEND);
    expectBoolean(update, Member.LAST_CHUNK);
    places.stripped(update);
    evidence.addMetadata(json, json.member(update, Member.METADATA));
    sideTexts.members(update, ARTIFACT_UPDATE_READ, UPDATE_QUIET);
    int node = json.present(update, Member.ARTIFACT);
    if (!json.isObject(node)) {
      fault = fault.or(() -> Optional.of("an artifact is not an object"));
      return;
    }
    artifact = unit(taskId(update), node);
    artifact(node, artifact, json.isTrue(json.member(update, Member.APPEND)));
  }

  private String taskId(int update) {
    return json.optionalString(json.member(update, Member.TASK_ID)).orElse("");
  }

  /** Reads every string of members that belong to no A2A object, except those named. */
  void strangers(int object, long known) {
    sideTexts.members(object, known, A2aSideTexts.NONE);
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

  private void expectBoolean(int object, Member member) {
    int node = json.present(object, member);
    if (node != JsonDocument.NONE && !json.isBoolean(node) && fault.isEmpty()) {
      fault = Optional.of(member.text() + " is not a boolean");
    }
  }

  private void expectSpelling(int object, long members) {
    Optional<Member> misspelt = json.misspelt(object, members);
    if (misspelt.isPresent() && fault.isEmpty()) {
      fault = Optional.of("member " + misspelt.get().text() + " is spelt in other case");
    }
  }

  /** What makes the objects no A2A objects. */
  Optional<String> fault() {
    return fault.or(parts::fault).or(places::fault);
  }

  /** Codes of what nobody can read. */
  List<String> unread() {
    return unreadPart || parts.unreadPart() ? BINARY_PART : List.of();
  }

  /** Where verdicts go or hide. */
  A2aTextSites places() {
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
