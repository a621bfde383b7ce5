package dev.parlance.wire.a2a;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.proto.ProtoMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The sites of verdicts in one answer over gRPC, or in one event of a stream, and the state in
 * which it leaves the task.
 */
final class A2aGrpcAnswerSites implements Annotatable {
  private static final long SUBMITTED = 1;
  private static final long WORKING = 2;
  private static final long INPUT_REQUIRED = 6;
  private static final long AUTH_REQUIRED = 8;

  private final ProtoTextSites sites;
  private final Predicate<Utf8Span> known;
  private final UnaryOperator<List<Edit>> onBody;
  private Optional<Long> state = Optional.empty();

  /**
   * Looks for the sites of an answer.
   *
   * @param answer a StreamResponse, a Task or a list of tasks
   * @param known texts that are no news: what was judged when it passed, what was asked
   * @param onBody turns edits of the message into edits of what holds it
   */
  A2aGrpcAnswerSites(
      ProtoMessage answer, Predicate<Utf8Span> known, UnaryOperator<List<Edit>> onBody) {
    this.sites = new ProtoTextSites(answer);
    this.known = known;
    this.onBody = onBody;
    if (answer.type().number("artifacts") != 0) {
      task(answer);
    }
    answer.messages("tasks").forEach(this::task);
    answer.message("task").ifPresent(this::task);
    answer
        .message("message")
        .ifPresent(said -> {
          sites.annotated(said);
          sites.speaks(said);
        });
    answer
        .message("artifactUpdate")
        .flatMap(update -> update.message("artifact"))
        .ifPresent(this::artifact);
    answer
        .message("statusUpdate")
        .ifPresent(update -> {
          sites.annotated(update);
          status(update);
        });
  }

  private void task(ProtoMessage task) {
    sites.annotated(task);
    sites.speaks(task);
    task.messages("artifacts").forEach(this::artifact);
    status(task);
    for (ProtoMessage entry : task.messages("history")) {
      // What was said before comes back with the verdict that a sidecar put on it: no forgery.
      if (isKnown(entry)) {
        sites.kept(entry);
      }
    }
  }

  /** True if a message says, in text alone, what has been judged before. */
  private boolean isKnown(ProtoMessage message) {
    List<Utf8Span> texts = new ArrayList<>();
    for (ProtoMessage part : message.messages("parts")) {
      Optional<ProtoMessage.Field> text = part.first("text");
      if (text.isEmpty() || part.first("metadata").isPresent()) {
        return false;
      }
      texts.add(part.text(text.get()));
    }
    return !texts.isEmpty() && known.test(Texts.join(texts));
  }

  private void artifact(ProtoMessage artifact) {
    sites.speaks(artifact);
    if (artifact.first("parts").isPresent()) {
      sites.annotated(artifact);
    }
  }

  private void status(ProtoMessage holder) {
    holder
        .message("status")
        .ifPresent(status -> {
          state = Optional.of(status.number("state"));
          status.message("message").ifPresent(sites::speaks);
        });
  }

  /** What the answer says of rounds is checked by whoever asked for it. */
  void believeRounds() {
    sites.believeRounds();
  }

  /** The state that it names; empty if it names none. */
  Optional<Long> state() {
    return state;
  }

  /** True if a task in this state can still be continued. */
  static boolean isOpen(long state) {
    return state == SUBMITTED
        || state == WORKING
        || state == INPUT_REQUIRED
        || state == AUTH_REQUIRED;
  }

  @Override
  public int forgedVerdicts() {
    return sites.forgedCount();
  }

  @Override
  public int cutRounds() {
    return sites.cutRounds();
  }

  @Override
  public List<Edit> annotate(VerdictHeader verdict) {
    return onBody.apply(sites.annotate(verdict));
  }

  @Override
  public List<Edit> strip() {
    return onBody.apply(sites.strip());
  }
}
