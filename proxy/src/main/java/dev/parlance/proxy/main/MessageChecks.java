package dev.parlance.proxy.main;

import dev.parlance.proxy.exchange.Check;
import dev.parlance.proxy.exchange.JudgmentCheck;
import dev.parlance.proxy.exchange.QueueCheck;
import dev.parlance.proxy.lexicon.LexiconCheck;
import dev.parlance.proxy.pact.NegotiationCheck;
import dev.parlance.proxy.pact.PactGuard;
import dev.parlance.proxy.round.RoundCheck;
import java.util.List;
import java.util.stream.Stream;

/** The checks of a sidecar. */
public final class MessageChecks {
  /** In the order in which messages pass them; a new check is a line here. */
  public static final Check.Order ORDER =
      new Check.Order(
          List.of(LexiconCheck.KIND),
          List.of(JudgmentCheck.KIND, PactGuard.KIND, RoundCheck.KIND),
          List.of(PactGuard.KIND, JudgmentCheck.KIND, RoundCheck.KIND),
          List.of(QueueCheck.KIND, NegotiationCheck.KIND, LexiconCheck.KIND));

  private MessageChecks() {}

  /** The same with one that comes before what judges, and is told of it first. */
  static Check.Order with(Check.Kind first) {
    return new Check.Order(
        ORDER.words(), before(first, ORDER.request()), before(first, ORDER.answer()), ORDER.last());
  }

  private static List<Check.Kind> before(Check.Kind first, List<Check.Kind> others) {
    return Stream.concat(Stream.of(first), others.stream()).toList();
  }
}
