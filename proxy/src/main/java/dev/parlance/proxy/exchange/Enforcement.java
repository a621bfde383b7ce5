package dev.parlance.proxy.exchange;

import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.VerdictHeader;
import java.util.Optional;

/**
 * The enforcement of what stands against a message, whole or streamed: turns the {@link Passage} of
 * a check, or a bad judgment, into a {@link Step}.
 *
 * <pre>
 *   On                   the next stage
 *   Stopped              refused
 *   Held, Yield          held for a person; refused if nothing is there to decide about
 *   Again, Regenerate    the author is asked again while its flow can pay; if it can pay no more,
 *                        held; if the author cannot be asked here, refused, or as the check says
 * </pre>
 */
record Enforcement(ExchangeContext exchange) {
  /** A message that something may stand against. */
  interface Subject {
    Leg leg();

    /** What came of judging, if it was judged. */
    Optional<Judgment> judgment();

    /** The judgment of the draft that its author would mend; empty if nobody can be asked. */
    Optional<Judgment> draft();

    /** The verdict that goes with it. */
    Optional<VerdictHeader> verdict();

    /** The body with which the local agent is asked again; empty if it cannot be. */
    Optional<byte[]> repair(String instruction);

    /** True if a person can decide about it. */
    boolean mayBeHeld();

    /** Judges it again with other words: {@link Step#NEXT} if it still goes on. */
    Step judgeAgain(Check.Words words);

    /** Its bytes do not go on. */
    void drop();

    /** It goes on. */
    Step proceed();

    /** It is held. */
    Step hold(Judgment held);

    /** It is refused. */
    Step refuse(Notice notice, String code);

    /** Notes that it is refused for this reason, where no judgment of it is under way. */
    void stoppedUnread(Reason reason);

    /** The verdict that its author gets who has paid for mending it, and is not asked here. */
    VerdictHeader notAskedAgain(VerdictHeader spent);
  }

  /** What follows from what a check says: {@link Step#NEXT} if the message goes on. */
  Step step(Check check, Check.Result result, Subject message) {
    return switch (result) {
      case Passage.On _ -> Step.NEXT;
      case Passage.Stopped stopped -> stop(check, stopped, message);
      case Passage.Held(Passage.Stopped instead) -> hold(check, instead, message);
      case Passage.Again again -> again(check, again, message);
      case Check.Rejected(Judgment bad) -> step(bad, message);
      case Check.Reworded reworded -> judgeAgain(check, reworded, message);
      case Check.Awaited<?> awaited -> await(check, awaited, message);
    };
  }

  private Step judgeAgain(Check check, Check.Reworded reworded, Subject message) {
    Step step = message.judgeAgain(reworded.words());
    if (step instanceof Step.Next) {
      return step(check, reworded.then().get(), message);
    }
    check.stoppedAgain(message.leg());
    return step;
  }

  private <T> Step await(Check check, Check.Awaited<T> awaited, Subject message) {
    return new Step.Await<>(
        awaited.source(),
        awaited.reply(),
        reply -> {
          Step step = step(check, awaited.then().apply(reply), message);
          return step instanceof Step.Next ? message.proceed() : step;
        });
  }

  private Step stop(Check check, Passage.Stopped stopped, Subject message) {
    check.stopped(stopped.reason(), message.leg());
    message.drop();
    if (exchange.record.isUnderWay()) {
      exchange.record.stopped(Route.REGENERATE, stopped.reason());
      exchange.record.acted("refuse", Optional.empty());
    } else {
      message.stoppedUnread(stopped.reason());
    }
    return message.refuse(
        Notices.stopped(stopped, message.verdict().map(exchange.checks::told)), stopped.code());
  }

  private Step hold(Check check, Passage.Stopped instead, Subject message) {
    if (message.judgment().isEmpty() || !message.mayBeHeld()) {
      return stop(check, instead, message);
    }
    message.drop();
    exchange.record.stopped(Route.YIELD, instead.reason());
    VerdictHeader verdict = message.verdict().orElseThrow();
    return message.hold(message.judgment().get().with(Notices.heldFor(verdict, instead.reason())));
  }

  private Step again(Check check, Passage.Again wanted, Subject message) {
    Optional<Judgment> draft = message.draft();
    if (draft.isPresent()
        && exchange.services.gate().regenerate(draft.get(), exchange.rule)
            instanceof Gate.Charge.Granted(VerdictHeader spent)) {
      Optional<byte[]> again = message.repair(wanted.instruction());
      if (again.isPresent()) {
        exchange.record.stopped(Route.REGENERATE, wanted.reason());
        return askAgain(message, spent, again.get());
      }
    }
    return step(check, wanted.otherwise().get(), message);
  }

  /** What follows from a judgment that stands against the message. */
  Step step(Judgment bad, Subject message) {
    message.drop();
    if (exchange.isForPerson) {
      return message.hold(bad);
    }
    return switch (bad.decision()) {
      case Decision.Regenerate _ ->
          switch (exchange.services.gate().regenerate(bad, exchange.rule)) {
            case Gate.Charge.Granted(VerdictHeader spent) -> regenerate(bad, spent, message);
            case Gate.Charge.Denied(Reason _, Judgment denied) -> {
              exchange.record.amended(denied);
              yield message.hold(denied);
            }
          };
      case Decision.Yield _ -> sentBack(bad, message).orElseGet(() -> message.hold(bad));
      case Decision.Execute _, Decision.Warn _ ->
          throw new IllegalStateException("nothing stands against " + bad.id());
    };
  }

  /** A text that a person has sent back is asked for again, if its author can be asked. */
  private Optional<Step> sentBack(Judgment bad, Subject message) {
    Optional<String> note = ReviewStage.sentBack(exchange, bad);
    Optional<Judgment> draft = note.isEmpty() ? Optional.empty() : message.draft();
    if (draft.isPresent()
        && exchange.services.gate().regenerate(draft.get(), exchange.rule)
            instanceof Gate.Charge.Granted(VerdictHeader spent)) {
      return message
          .repair(note.get())
          .map(again -> {
            exchange.record.stopped(Route.REGENERATE, Reason.REJECTED);
            return askAgain(message, spent, again);
          });
    }
    return Optional.empty();
  }

  private Step regenerate(Judgment bad, VerdictHeader spent, Subject message) {
    Optional<byte[]> again = message.repair(bad.instruction());
    if (again.isPresent()) {
      return askAgain(message, spent, again.get());
    }
    VerdictHeader told = message.notAskedAgain(spent);
    exchange.record.told(told);
    exchange.record.acted("refuse", Optional.empty());
    return message.refuse(Notices.regenerate(told, bad.instructionInRefusal()), "regenerate");
  }

  private Step askAgain(Subject message, VerdictHeader spent, byte[] body) {
    message.judgment().ifPresent(draft -> exchange.drafts.add(ReviewStage.draft(exchange, draft)));
    message.drop();
    exchange.record.acted(ExchangeReport.ASK_AGAIN, Optional.empty());
    return new Step.AskAgain(spent, body);
  }
}
