package dev.parlance.proxy.exchange;

import dev.parlance.policy.route.Reason;
import dev.parlance.wire.api.Notice;
import java.util.function.Supplier;

/** What a {@link Check} says of a message; {@link Enforcement} carries it out. */
public sealed interface Passage extends Check.Result {
  /** The one {@link On}. */
  Passage ON = new On();

  /** It goes on. */
  record On() implements Passage {}

  /**
   * It is refused, and its sender is told why.
   *
   * @param code the code that the sender is told; that of the reason, or the control plane's
   */
  record Stopped(Reason reason, String code, String detail, Notice.Kind kind) implements Passage {}

  /**
   * A person decides.
   *
   * @param instead what becomes of it if there is nothing that a person could decide about
   */
  record Held(Stopped instead) implements Passage {}

  /**
   * Its author may send a better one, while its flow can pay.
   *
   * @param instruction what the author is told
   * @param otherwise what becomes of it if the author cannot be asked
   */
  record Again(Reason reason, String instruction, Supplier<Passage> otherwise) implements Passage {}
}
