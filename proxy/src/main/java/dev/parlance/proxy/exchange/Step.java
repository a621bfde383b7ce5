package dev.parlance.proxy.exchange;

import dev.parlance.policy.route.Reason;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * What happens next in an exchange. The stages of a message return one, and {@link Exchange} alone
 * performs it.
 */
sealed interface Step {
  /** The stage leaves the message to the one after it; the one value of {@link Next}. */
  Step NEXT = new Next();

  /** The next stage is taken; never performed. */
  record Next() implements Step {}

  /** The request goes to the agent with these edits in its body and the verdict beside it. */
  record Forward(List<Edit> edits, Optional<VerdictHeader> verdict) implements Step {}

  /** The agent's answer goes to the caller, likewise. */
  record Answer(List<Edit> edits, Optional<VerdictHeader> verdict) implements Step {}

  /** The caller gets an answer that a person has released, and the agent is not asked. */
  record Deliver(WholeResponse response) implements Step {}

  /**
   * The caller gets a typed refusal in its own protocol; of a stream, as its end.
   *
   * @param rejected the answer in whose place it stands and whose ids it keeps
   * @param head of the agent's answer; of an error, status and fields for clients are kept
   * @param cut code under which the end of a stream is counted
   */
  record Refuse(
      Notice notice, Optional<ResponseView> rejected, Optional<WholeResponse> head, String cut)
      implements Step {
    /** A refusal of a message that is no answer, or one in a stream. */
    Refuse(Notice notice, Optional<ResponseView> rejected) {
      this(notice, rejected, Optional.empty(), "");
    }
  }

  /**
   * The message goes into the review queue, and the caller is told under which id.
   *
   * @param rejected the answer that is held; empty if it is the request
   * @param body the bytes to deliver if it is released
   * @param response head of the answer that is held
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record Hold(
      Judgment judgment,
      Optional<ResponseView> rejected,
      byte[] body,
      Optional<WholeResponse> response)
      implements Step {}

  /**
   * The agent is asked once more, and what it says then is its answer.
   *
   * @param spent the verdict with the flow's budget after it
   * @param body of the request
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record AskAgain(VerdictHeader spent, byte[] body) implements Step {}

  /** The other side has refused the request unread: the check may have another way for it. */
  record SendAgain(Check check, Reason reason) implements Step {}

  /**
   * A reply from elsewhere decides about the step; nothing blocks meanwhile.
   *
   * @param then called on the loop of the exchange
   */
  record Await<T>(Check.Source source, CompletableFuture<T> reply, Function<T, Step> then)
      implements Step {}

  /** The answer passes piece by piece: the steps below are taken with its pieces. */
  record Stream(StreamSink answer) implements Step {}

  /** The head of a streamed answer goes out, before there is anything behind it. */
  record Begin() implements Step {}

  /** These bytes of a streamed answer go out, behind its head; they belong to the step. */
  record Piece(ByteBuf bytes) implements Step {}

  /** These go out if nothing waits for the caller: it hears that the connection lives. */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record Beat(byte[] bytes) implements Step {}

  /** A streamed answer is to be asked again after so many milliseconds, and not before. */
  record Wake(long afterMs) implements Step {}

  /** A streamed answer is whole. */
  record End(HttpHeaders trailers) implements Step {}

  /** A streamed answer breaks off, so that nobody takes it for a whole one. */
  record BreakOff() implements Step {}

  /** The one value of {@link Begin}. */
  Step BEGIN = new Begin();

  /** The one value of {@link BreakOff}. */
  Step BREAK_OFF = new BreakOff();
}
