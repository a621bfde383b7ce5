package dev.parlance.wire.a2a;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.MemberName;
import dev.parlance.wire.metadata.EvidenceReader;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads the objects of one A2A body or event, wherever a binding puts them: messages, tasks, lists
 * of tasks, updates of status and artifacts. What they say goes into a transcript, what they rest
 * on into the evidence, and where verdicts go or hide into the sites.
 */
final class A2aReader {
  /** The unit of a message in the transcript. */
  private static final String MESSAGE = "";

  private static final List<String> BINARY_PART = List.of(MessageView.BINARY_PART);

  private static final long MESSAGE_NAMES =
      MemberName.set(
          MemberName.PARTS, MemberName.CONTENT, MemberName.METADATA, MemberName.EXTENSIONS);
  private static final long MESSAGE_READ = MemberName.set(MemberName.PARTS);
  private static final long MESSAGE_BOTH_READ =
      MemberName.set(MemberName.PARTS, MemberName.CONTENT);
  private static final long MESSAGE_QUIET =
      MemberName.set(
          MemberName.MESSAGE_ID,
          MemberName.CONTEXT_ID,
          MemberName.TASK_ID,
          MemberName.ROLE,
          MemberName.KIND,
          MemberName.EXTENSIONS,
          MemberName.REFERENCE_TASK_IDS);
  private static final long TASK_NAMES =
      MemberName.set(
          MemberName.ARTIFACTS, MemberName.STATUS, MemberName.HISTORY, MemberName.METADATA);
  private static final long TASK_READ =
      MemberName.set(MemberName.ARTIFACTS, MemberName.STATUS, MemberName.HISTORY);
  private static final long TASK_QUIET =
      MemberName.set(MemberName.ID, MemberName.CONTEXT_ID, MemberName.KIND);
  private static final long STATUS_NAMES = MemberName.set(MemberName.MESSAGE, MemberName.STATE);
  private static final long STATUS_READ = MemberName.set(MemberName.MESSAGE);
  private static final long STATUS_QUIET = MemberName.set(MemberName.STATE, MemberName.TIMESTAMP);
  private static final long ARTIFACT_NAMES =
      MemberName.set(
          MemberName.PARTS,
          MemberName.METADATA,
          MemberName.EXTENSIONS,
          MemberName.NAME,
          MemberName.DESCRIPTION,
          MemberName.ARTIFACT_ID);
  private static final long ARTIFACT_READ =
      MemberName.set(MemberName.PARTS, MemberName.NAME, MemberName.DESCRIPTION);
  private static final long ARTIFACT_QUIET =
      MemberName.set(MemberName.ARTIFACT_ID, MemberName.EXTENSIONS, MemberName.KIND);
  private static final long STATUS_UPDATE_NAMES =
      MemberName.set(MemberName.STATUS, MemberName.METADATA, MemberName.FINAL);
  private static final long STATUS_UPDATE_READ = MemberName.set(MemberName.STATUS);
  private static final long ARTIFACT_UPDATE_NAMES =
      MemberName.set(
          MemberName.ARTIFACT, MemberName.APPEND, MemberName.LAST_CHUNK, MemberName.METADATA);
  private static final long ARTIFACT_UPDATE_READ = MemberName.set(MemberName.ARTIFACT);
  private static final long UPDATE_QUIET =
      MemberName.set(MemberName.TASK_ID, MemberName.CONTEXT_ID, MemberName.KIND);

  private final JsonDocument json;
  private final A2aTranscript transcript;
  private final EvidenceReader evidence;
  private final A2aTextSites sites;
  private final A2aSideTexts sideTexts;
  private final A2aParts parts;
  private boolean unreadPart;
  private Optional<String> fault = Optional.empty();
  private TaskState state = TaskState.UNKNOWN;
  private boolean statusText;
  private String artifact = "";

  /** A reader of one document. */
  A2aReader(JsonDocument json, A2aTranscript transcript, EvidenceReader evidence) {
    this.json = json;
    this.transcript = transcript;
    this.evidence = evidence;
    this.sites = new A2aTextSites(json);
    this.sideTexts = new A2aSideTexts(json, transcript, sites);
    this.parts = new A2aParts(json, transcript, sideTexts, sites);
  }

  /** Reads a message that is the answer, or the request. */
  void message(int message) {
    transcript.begin(MESSAGE);
    sites.annotated(message);
    sites.speaks(message);
    messageInto(message, parts);
  }

  /** Reads parts, evidence and side texts of a message. */
  private void messageInto(int message, A2aParts parts) {
    expectSpelling(message, MESSAGE_NAMES);
    int content = json.present(message, MemberName.CONTENT);
    boolean both = json.isArray(content);
    parts.read(json.member(message, MemberName.PARTS), MESSAGE, false);
    if (both) {
      parts.read(content, MESSAGE, false);
    }
    evidence.addMetadata(json, json.member(message, MemberName.METADATA));
    sideTexts.members(message, both ? MESSAGE_BOTH_READ : MESSAGE_READ, MESSAGE_QUIET);
  }

  /**
   * Reads a task.
   *
   * @param key tells it from other tasks in the transcript
   */
  void task(int task, String key) {
    expectSpelling(task, TASK_NAMES);
    sites.annotatedTask(task);
    sites.speaks(task);
    artifacts(json.present(task, MemberName.ARTIFACTS), key);
    evidence.addMetadata(json, json.member(task, MemberName.METADATA));
    sideTexts.members(task, TASK_READ, TASK_QUIET);
    int status = json.present(task, MemberName.STATUS);
    status(status, key);
    history(json.present(task, MemberName.HISTORY));
  }

  private void artifacts(int artifacts, String key) {
    expect(artifacts, json.isArray(artifacts), "artifacts is not an array");
    Set<String> units = new HashSet<>();
    int index = 0;
    int at = json.firstElement(artifacts);
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
    String id = json.optionalString(json.member(artifactNode, MemberName.ARTIFACT_ID)).orElse("");
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
    sites.speaks(node);
    if (!append) {
      transcript.begin(unit);
    }
    int before = transcript.news();
    parts.read(json.member(node, MemberName.PARTS), unit, true);
    if (transcript.news() > before) {
      sites.annotated(node);
    } else {
      sites.stripped(node);
    }
    evidence.addMetadata(json, json.member(node, MemberName.METADATA));
    sideText(json.present(node, MemberName.NAME), A2aTranscript.Side.NAME);
    sideText(json.present(node, MemberName.DESCRIPTION), A2aTranscript.Side.NAME);
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
    state = TaskState.of(json.optionalString(json.member(status, MemberName.STATE)));
    sites.stripped(status);
    sideTexts.members(status, STATUS_READ, STATUS_QUIET);
    int message = json.present(status, MemberName.MESSAGE);
    expect(message, json.isObject(message), "the message of status is not an object");
    if (!json.isObject(message)) {
      transcript.silentStatus(key);
      return;
    }
    sites.speaks(message);
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
      sites.annotated(message);
    } else {
      sites.stripped(message);
    }
  }

  /** Reads a message that is a unit of its own; its side texts are the transcript's. */
  private void beside(int message, A2aTranscript own) {
    A2aParts other = new A2aParts(json, own, sideTexts, sites);
    messageInto(message, other);
    fault = fault.or(other::fault);
    unreadPart |= other.unreadPart();
  }

  private void history(int history) {
    expect(history, json.isArray(history), "history is not an array");
    int entry = json.firstElement(history);
    while (entry != JsonDocument.NONE) {
      expect(entry, json.isObject(entry), "an entry of history is not an object");
      A2aTranscript own = transcript.ofOne();
      beside(entry, own);
      Utf8Span text = own.text();
      // What the asker said comes back with the verdict that a sidecar put on it: no forgery.
      if (own.isEmpty() || !transcript.knows(text)) {
        transcript.side(A2aTranscript.Side.HISTORY, text);
        sites.stripped(entry);
      } else {
        sites.echoed(entry);
      }
      entry = json.nextElement(history, entry);
    }
  }

  /** Reads a change of a task's status. */
  void statusUpdate(int update) {
    expectSpelling(update, STATUS_UPDATE_NAMES);
    expectBoolean(update, MemberName.FINAL);
    sites.annotatedTask(update);
    evidence.addMetadata(json, json.member(update, MemberName.METADATA));
    sideTexts.members(update, STATUS_UPDATE_READ, UPDATE_QUIET);
    status(json.present(update, MemberName.STATUS), taskId(update));
    if (json.isTrue(json.member(update, MemberName.FINAL)) && !state.isSettled()) {
      state = TaskState.ENDED;
    }
  }

  /** Reads an artifact, or a chunk of one. */
  void artifactUpdate(int update) {
    expectSpelling(update, ARTIFACT_UPDATE_NAMES);
    expectBoolean(update, MemberName.APPEND);
    expectBoolean(update, MemberName.LAST_CHUNK);
    sites.stripped(update);
    evidence.addMetadata(json, json.member(update, MemberName.METADATA));
    sideTexts.members(update, ARTIFACT_UPDATE_READ, UPDATE_QUIET);
    int node = json.present(update, MemberName.ARTIFACT);
    if (!json.isObject(node)) {
      fault = fault.or(() -> Optional.of("an artifact is not an object"));
      return;
    }
    artifact = unit(taskId(update), node);
    artifact(node, artifact, json.isTrue(json.member(update, MemberName.APPEND)));
  }

  private String taskId(int update) {
    return json.optionalString(json.member(update, MemberName.TASK_ID)).orElse("");
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

  private void expectBoolean(int object, MemberName member) {
    int node = json.present(object, member);
    if (node != JsonDocument.NONE && !json.isBoolean(node) && fault.isEmpty()) {
      fault = Optional.of(member.text() + " is not a boolean");
    }
  }

  private void expectSpelling(int object, long members) {
    Optional<MemberName> misspelt = json.misspelt(object, members);
    if (misspelt.isPresent() && fault.isEmpty()) {
      fault = Optional.of("member " + misspelt.get().text() + " is spelt in other case");
    }
  }

  /** What makes the objects no A2A objects. */
  Optional<String> fault() {
    return fault.or(parts::fault).or(sites::fault);
  }

  /** Codes of what nobody can read. */
  List<String> unread() {
    return unreadPart || parts.unreadPart() ? BINARY_PART : List.of();
  }

  /** As above, of an answer, where names of data are no place for words. */
  List<String> unreadInAnswer() {
    return transcript.hasWordyNames()
        ? Stream.concat(unread().stream(), Stream.of("data_names")).toList()
        : unread();
  }

  /** Where verdicts go or hide. */
  A2aTextSites sites() {
    return sites;
  }

  /** The state that a status told, the last one if there were several. */
  TaskState state() {
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

  /** What the state of a task means for what it says, in both spellings of A2A. */
  enum TaskState {
    /** It works on, and may say more. */
    ACTIVE,
    /** It waits for the asker and can be continued. */
    WAITING,
    /** It has ended. */
    ENDED,
    /** No state that we know. */
    UNKNOWN;

    private static final String PREFIX = "TASK_STATE_";
    private static final Set<String> WORKING = Set.of("SUBMITTED", "WORKING");
    private static final Set<String> INTERRUPTED = Set.of("INPUT_REQUIRED", "AUTH_REQUIRED");
    private static final Set<String> FINAL =
        Set.of("COMPLETED", "FAILED", "CANCELED", "CANCELLED", "REJECTED");

    /** The meaning of a {@code state} member. */
    static TaskState of(Optional<String> state) {
      String name = state.map(TaskState::plain).orElse("");
      if (WORKING.contains(name)) {
        return ACTIVE;
      }
      if (INTERRUPTED.contains(name)) {
        return WAITING;
      }
      return FINAL.contains(name) ? ENDED : UNKNOWN;
    }

    private static String plain(String state) {
      return state.startsWith(PREFIX)
          ? state.substring(PREFIX.length())
          : state.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** True if a message may still be added to the task. */
    boolean isOpen() {
      return this == ACTIVE || this == WAITING;
    }

    /** True if nothing more is said unless somebody asks. */
    boolean isSettled() {
      return this == WAITING || this == ENDED;
    }
  }
}
