package dev.parlance.wire.a2a;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.wire.api.AgentError;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.LexiconMark;
import dev.parlance.wire.api.PactMark;
import dev.parlance.wire.api.ResponseHead.Relayed;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.MemberName;
import dev.parlance.wire.metadata.EvidenceReader;
import java.util.List;
import java.util.Optional;

/** Reads an answer of A2A from one body. Single use. */
final class A2aAnswerReader {
  private static final long LIST_READ = MemberName.set(MemberName.TASKS);

  private final JsonDocument json;
  private final A2aCall.Context asked;
  private final A2aTranscript transcript;
  private final EvidenceReader evidence = new EvidenceReader();
  private final A2aReader reader;
  private Correlation correlation = Correlation.NONE;
  private boolean acts;

  A2aAnswerReader(JsonDocument json, A2aCall.Context asked, Relayed relayed) {
    this.json = json;
    this.asked = asked;
    this.transcript = asked.transcript(relayed, json);
    this.reader = new A2aReader(json, transcript, evidence);
  }

  /** For what belongs to the binding. */
  A2aReader reader() {
    return reader;
  }

  /** What the answer says of rounds is checked by whoever asked for it. */
  A2aAnswerReader believingRounds() {
    reader.sites().believeRounds();
    return this;
  }

  /** Reads one answer. */
  Reading<ResponseView> of(A2aPayload union) {
    int node = union.node();
    correlation = correlation(json, union);
    switch (union.kind()) {
      case MESSAGE -> reader.message(node);
      case TASK -> reader.task(node, correlation.taskId().orElse(""));
      case STATUS -> reader.statusUpdate(node);
      case ARTIFACT -> reader.artifactUpdate(node);
    }
    boolean isMessage = union.kind() == A2aPayload.Kind.MESSAGE;
    acts = !isMessage || correlation.taskId().isPresent();
    return finish(isMessage);
  }

  /** The ids of an answer or an event. */
  static Correlation correlation(JsonDocument json, A2aPayload union) {
    boolean task = union.kind() == A2aPayload.Kind.TASK;
    return new Correlation(
        json.optionalString(json.member(union.node(), MemberName.CONTEXT_ID)),
        json.optionalString(json.member(union.node(), task ? MemberName.ID : MemberName.TASK_ID)),
        json.optionalString(json.member(union.node(), MemberName.MESSAGE_ID)));
  }

  /** Reads a list of tasks, or an object that holds one, as one answer. */
  Reading<ResponseView> ofTasks(int result) {
    int tasks = json.isArray(result) ? result : json.present(result, MemberName.TASKS);
    if (tasks != JsonDocument.NONE && !json.isArray(tasks)) {
      return bad("tasks is not an array");
    }
    if (json.misspelt(result, LIST_READ).isPresent()) {
      return bad("member tasks is spelt in other case");
    }
    int index = 0;
    int task = json.first(tasks);
    while (task != JsonDocument.NONE) {
      if (!json.isObject(task)) {
        return bad("a task is not an object");
      }
      reader.task(task, Integer.toString(index++));
      task = json.nextElement(tasks, task);
    }
    reader.strangers(result, LIST_READ);
    acts = true;
    return finish(false);
  }

  /** Reads an error of a protocol. */
  Reading<ResponseView> ofError(int error) {
    reader.sideTexts().every(error);
    return new Reading.Readable<>(new ResponseView.Failed(error(json, error), reader.sites()));
  }

  /** An error and whatever stands beside it; that of REST is in a member of the whole. */
  static AgentError error(JsonDocument json, int error) {
    int inner = json.present(error, MemberName.ERROR);
    return AgentError.of(json, json.root(), json.isObject(inner) ? inner : error);
  }

  /** Reads a body of a control method, where no agent text should be. */
  Reading<ResponseView> ofControl(int value) {
    if (value != JsonDocument.NONE) {
      reader.sideTexts().sentences(value);
    }
    return finish(false);
  }

  /** Reads the answer to a call that nobody knows. */
  Reading<ResponseView> ofUnknown(int value) {
    if (value != JsonDocument.NONE) {
      reader.sideTexts().every(value);
    }
    return finish(false);
  }

  private Reading<ResponseView> finish(boolean isMessage) {
    Optional<String> fault = reader.fault();
    if (fault.isPresent()) {
      return bad(fault.get());
    }
    boolean isWordless = transcript.isEmpty() && (!isMessage || !reader.unreadInAnswer().isEmpty());
    Optional<AgentMessage> message =
        !isWordless
            ? Optional.of(
                new AgentMessage(
                    transcript.text(), asked.question(), evidence.evidence(asked.given())))
            : Optional.empty();
    return new Reading.Readable<>(
        new Answer(
            message,
            reader.unreadInAnswer(),
            correlation,
            acts,
            reader.state().isOpen(),
            reader.sites().round(),
            reader.sites().pact(transcript, reader.unreadInAnswer()),
            reader.sites().lexicon(transcript),
            reader.sites()));
  }

  /**
   * An answer of A2A, in any JSON binding: a message, a task, a list of tasks, a change of one, an
   * error. The answer is everything that the agent wrote, see {@link A2aTranscript}; what is left
   * unread beside it is named by {@link #unread()}.
   *
   * @param message what the agent says
   * @param unread codes of what nobody can read
   * @param correlation ids in it
   * @param acts true if it is of a task
   * @param isOpenTask true if it is a task that can still be continued
   * @param round what it says of a round
   * @param pact what it says in a negotiation
   * @param lexicon what its metadata says of terms
   * @param sites where verdicts go or hide
   */
  record Answer(
      Optional<AgentMessage> message,
      List<String> unread,
      Correlation correlation,
      boolean acts,
      boolean isOpenTask,
      RoundMark round,
      PactMark pact,
      LexiconMark lexicon,
      Annotatable sites)
      implements ResponseView {
    /** The same with the sites of another body that says the same. */
    Answer withSites(Annotatable other) {
      return new Answer(
          message, unread, correlation, acts, isOpenTask, round, pact, lexicon, other);
    }
  }

  /** True for a task that can still be continued. */
  static boolean isOpenTask(ResponseView answer) {
    return answer instanceof Answer own && own.isOpenTask();
  }

  private static Reading<ResponseView> bad(String why) {
    return new Reading.Malformed<>(
        WireFault.BAD_MESSAGE, why + "; expected an A2A message or task");
  }
}
