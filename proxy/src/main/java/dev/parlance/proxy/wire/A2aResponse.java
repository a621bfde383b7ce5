package dev.parlance.proxy.wire;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.text.Utf8Span;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A JSON-RPC response of A2A that carries a message or a task.
 *
 * <p>The answer is the text of the message; of a task, the text of all its artifacts, else that of
 * its status message. The status message counts in every state, also where the agent asks back or
 * reports a failure: it is what the agent says. A task that says nothing carries no message. What
 * is left unread beside a judged answer is named by {@link #unread()}.
 */
final class A2aResponse implements ResponseView {
  private static final Set<String> MESSAGE_MEMBERS = Set.of("parts", "metadata", "extensions");
  private static final Set<String> TASK_MEMBERS =
      Set.of("artifacts", "status", "history", "metadata");
  private static final Set<String> OPEN_STATES =
      Set.of(
          "TASK_STATE_SUBMITTED",
          "TASK_STATE_WORKING",
          "TASK_STATE_INPUT_REQUIRED",
          "TASK_STATE_AUTH_REQUIRED",
          "submitted",
          "working",
          "input-required",
          "auth-required");

  private final JsonDocument json;
  private final A2aPlaces places;
  private final A2aText text;
  private final EvidenceReader evidence = new EvidenceReader();
  private final Set<String> unread = new TreeSet<>();
  private Optional<String> misshapen = Optional.empty();
  private Optional<AgentMessage> message = Optional.empty();
  private Correlation correlation = Correlation.NONE;
  private boolean openTask;

  private A2aResponse(JsonDocument json) {
    this.json = json;
    this.places = new A2aPlaces(json);
    this.text = new A2aText(json);
  }

  /**
   * Reads a Message object.
   *
   * @param question what was asked, by the asker's own account: an answerer that could name the
   *     question could choose one that its answer fits
   * @param given context that the asker sent along
   */
  static Reading<ResponseView> ofMessage(
      JsonDocument json, int message, Utf8Span question, List<Chunk> given) {
    A2aResponse response = new A2aResponse(json);
    response.correlation =
        new Correlation(
            json.optionalString(json.member(message, "contextId")),
            json.optionalString(json.member(message, "taskId")),
            json.optionalString(json.member(message, "messageId")));
    response.messageText(message);
    response.places.annotated(message);
    return response.finish(true, question, given);
  }

  /** Reads a Task object; parameters as for messages. */
  static Reading<ResponseView> ofTask(
      JsonDocument json, int task, Utf8Span question, List<Chunk> given) {
    A2aResponse response = new A2aResponse(json);
    response.correlation =
        new Correlation(
            json.optionalString(json.member(task, "contextId")),
            json.optionalString(json.member(task, "id")),
            Optional.empty());
    response.task(task);
    return response.finish(false, question, given);
  }

  private void task(int task) {
    expectSpelling(task, TASK_MEMBERS);
    int artifacts = json.present(task, "artifacts");
    expect(artifacts, json.isArray(artifacts), "artifacts is not an array");
    int artifact = json.isArray(artifacts) ? json.first(artifacts) : JsonDocument.NONE;
    while (artifact != JsonDocument.NONE) {
      expect(artifact, json.isObject(artifact), "an artifact is not an object");
      if (messageText(artifact)) {
        places.annotated(artifact);
      } else {
        places.stripped(artifact);
      }
      artifact = json.nextElement(artifacts, artifact);
    }
    evidence.addMetadata(json, json.member(task, "metadata"));
    places.annotatedTask(task);
    int status = json.present(task, "status");
    expect(status, json.isObject(status), "status is not an object");
    expectSpelling(status, Set.of("message", "state"));
    openTask =
        json.optionalString(json.member(status, "state")).filter(OPEN_STATES::contains).isPresent();
    status(json.present(status, "message"));
    history(json.present(task, "history"));
  }

  private void status(int statusMessage) {
    expect(statusMessage, json.isObject(statusMessage), "the message of status is not an object");
    if (!json.isObject(statusMessage)) {
      return;
    }
    if (!text.found() && messageText(statusMessage)) {
      places.annotated(statusMessage);
      return;
    }
    places.stripped(statusMessage);
    if (spokenBeside(statusMessage)) {
      unread.add("status_text");
    }
  }

  private void history(int history) {
    expect(history, json.isArray(history), "history is not an array");
    int entry = json.isArray(history) ? json.first(history) : JsonDocument.NONE;
    while (entry != JsonDocument.NONE) {
      expect(entry, json.isObject(entry), "an entry of history is not an object");
      String role = json.optionalString(json.member(entry, "role")).orElse("");
      // The asker's own messages come back with the verdict that a sidecar put on them: no forgery.
      if (!role.equals("ROLE_USER") && !role.equals("user")) {
        places.stripped(entry);
        if (spokenBeside(entry)) {
          unread.add("history_text");
        }
      }
      entry = json.nextElement(history, entry);
    }
  }

  /** True if a message says something that is not the answer itself. */
  private boolean spokenBeside(int other) {
    A2aText said = new A2aText(json);
    boolean found = said.add(json.member(other, "parts"));
    return said.fault().isPresent()
        || said.unreadPart()
        || (found && !said.text().equals(text.text()));
  }

  /** Reads parts and evidence of a message or artifact; true if it held text. */
  private boolean messageText(int object) {
    expectSpelling(object, MESSAGE_MEMBERS);
    boolean found = text.add(json.member(object, "parts"));
    evidence.addMetadata(json, json.member(object, "metadata"));
    return found;
  }

  /** What stands in the place of agent text and has another shape could be shown all the same. */
  private void expect(int node, boolean fits, String fault) {
    if (node != JsonDocument.NONE && !fits && misshapen.isEmpty()) {
      misshapen = Optional.of(fault);
    }
  }

  private void expectSpelling(int object, Set<String> members) {
    if (misshapen.isEmpty()) {
      misshapen =
          json.misspelt(object, members).map(name -> "member " + name + " is spelt in other case");
    }
  }

  private Reading<ResponseView> finish(boolean isMessage, Utf8Span question, List<Chunk> given) {
    Optional<String> fault = misshapen.or(text::fault).or(places::fault);
    if (fault.isPresent()) {
      return new Reading.Malformed<>(
          WireFault.BAD_MESSAGE, fault.get() + "; expected an A2A message or task");
    }
    if (!text.found() && text.unreadPart()) {
      return new Reading.Unjudged<>("binary_part");
    }
    if (text.unreadPart()) {
      unread.add("binary_part");
    }
    if (isMessage || text.found()) {
      message = Optional.of(new AgentMessage(text.text(), question, evidence.evidence(given)));
    }
    return new Reading.Readable<>(this);
  }

  @Override
  public Optional<AgentMessage> message() {
    return message;
  }

  @Override
  public List<String> unread() {
    return List.copyOf(unread);
  }

  @Override
  public Correlation correlation() {
    return correlation;
  }

  /** True if the response is a task that can still be continued. */
  boolean isOpenTask() {
    return openTask;
  }

  @Override
  public int forgedVerdicts() {
    return places.forgedCount();
  }

  @Override
  public List<Edit> annotate(Annotation verdict) {
    return places.annotate(verdict);
  }

  @Override
  public List<Edit> strip() {
    return places.strip();
  }
}
