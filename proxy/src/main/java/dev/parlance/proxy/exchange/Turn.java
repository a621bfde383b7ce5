package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.gate.Ruling;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Arena;
import dev.parlance.wire.bytes.Edit;
import java.util.List;
import java.util.Optional;

/** Where an exchange is, and the steps that lead from one half to the other. */
interface Turn {
  /** The request; empty if nobody could read it. */
  Optional<RequestView> view();

  /** Which answer this is, from 1. */
  int attempt();

  /** For the copies of the bodies that are read whole, and what is made of them. */
  Arena memory();

  /** What became of a request that nobody read, and becomes of its answer. */
  OnFailure unreadPolicy();

  /** The request was read. */
  void read(RequestView view);

  /** Nobody could read the request. */
  void unread(OnFailure policy);

  /** The control plane took the request's proposal; its answer tells how the round stands. */
  void proposed(RoundTicket ticket);

  /** The proposal that the request brought, if it was taken. */
  Optional<RoundTicket> ticket();

  /** The verdict of an answer, with how the round stands that its request proposed in. */
  default VerdictHeader told(VerdictHeader verdict) {
    return ticket().map(ticket -> verdict.withRound(ticket.status())).orElse(verdict);
  }

  /** The request goes on with these edits in its body, and the verdict beside it. */
  void forward(List<Edit> edits, Optional<VerdictHeader> verdict);

  /** The agent is asked once more, and what it says then is its answer. */
  void askAgain(Ruling rejected, VerdictHeader spent, byte[] body);

  /** Takes the step; whatever fails in it, the caller is answered and every buffer released. */
  void guarded(Runnable step);

  /** Nobody wants the origin's answer any more. */
  void cancel();

  /** The origin shall wait. */
  void pauseReading();

  /** The origin may go on. */
  void resumeReading();
}
