package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.gate.Believed;
import dev.parlance.proxy.gate.Draft;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.ScannedText;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.json.JsonDocument;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** All checks of one exchange together, where it does not matter which of them has a say. */
final class ExchangeChecks {
  private final List<Check> checks;

  ExchangeChecks(ExchangeContext exchange, List<Check.Kind> kinds) {
    List<Check> begun = new ArrayList<>(kinds.size());
    for (Check.Kind kind : kinds) {
      begun.add(kind.begin().apply(exchange, begun));
    }
    this.checks = begun;
  }

  Check get(int index) {
    return checks.get(index);
  }

  boolean read(Leg leg, MessageView message) {
    boolean isOwn = false;
    for (Check check : checks) {
      isOwn |= check.read(leg, message);
    }
    return isOwn;
  }

  /** The check by which the request has come back unread and may go out once more. */
  Optional<Check> refusedUnread() {
    return first(check -> check.refusedUnread().isPresent());
  }

  /** The wait for which an answer is kept back. */
  Optional<Check.Awaited<?>> arrived() {
    for (Check check : checks) {
      if (check.arrived() instanceof Check.Awaited<?> awaited) {
        return Optional.of(awaited);
      }
    }
    return Optional.empty();
  }

  /** What a check says of a part of a streamed answer. */
  record Stop(Check check, Passage passage) {}

  Optional<Stop> head(HttpHeaders fields) {
    return stop(check -> check.head(fields));
  }

  Optional<Stop> piece(Frame event, Function<Frame, JsonDocument> json) {
    return stop(check -> check.piece(event, json));
  }

  Optional<Stop> whole(Optional<Judgment> judgment, boolean hasWords) {
    return stop(check -> check.whole(judgment, hasWords));
  }

  /** What the first check that has a say in it says of an answer from the review queue. */
  Check.Result released(MessageView view, CheckedMessage message) {
    for (Check check : checks) {
      Check.Result result = check.released(view, message);
      if (!(result instanceof Passage.On)) {
        return result;
      }
    }
    return Passage.ON;
  }

  private Optional<Stop> stop(Function<Check, Passage> question) {
    for (Check check : checks) {
      Passage passage = question.apply(check);
      if (!(passage instanceof Passage.On)) {
        return Optional.of(new Stop(check, passage));
      }
    }
    return Optional.empty();
  }

  void each(Consumer<Check> action) {
    for (Check check : checks) {
      action.accept(check);
    }
  }

  private Optional<Check> first(Predicate<Check> condition) {
    for (Check check : checks) {
      if (condition.test(check)) {
        return Optional.of(check);
      }
    }
    return Optional.empty();
  }

  boolean any(Predicate<Check> condition) {
    return first(condition).isPresent();
  }

  AgentMessage measured(AgentMessage said) {
    AgentMessage measured = said;
    for (Check check : checks) {
      measured = check.measured(measured);
    }
    return measured;
  }

  /** Keys of the governed terms of a message that no core may speak of yet. */
  Set<String> untested(Utf8Span said, Utf8Span beside) {
    for (Check check : checks) {
      Set<String> found = check.untested(said, beside);
      if (!found.isEmpty()) {
        return found; // one kind of check knows of such terms
      }
    }
    return Set.of();
  }

  /** What a check has found of governed terms while it looked for others. */
  Optional<ScannedText> scanned() {
    for (Check check : checks) {
      Optional<ScannedText> scanned = check.scanned();
      if (scanned.isPresent()) {
        return scanned; // one kind of check looks for others
      }
    }
    return Optional.empty();
  }

  Optional<Believed> believed(Draft draft) {
    for (Check check : checks) {
      Optional<Believed> word = check.believed(draft);
      if (word.isPresent()) {
        return word;
      }
    }
    return Optional.empty();
  }

  VerdictHeader told(VerdictHeader verdict) {
    VerdictHeader told = verdict;
    for (Check check : checks) {
      told = check.told(told);
    }
    return told;
  }
}
