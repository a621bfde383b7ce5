package dev.parlance.loadtest.load;

import dev.parlance.loadtest.load.LoadResult.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/**
 * One connection of a load phase as {@link LoadRun} sees it, with at most one request under way.
 */
interface LoadConnection {
  /** The request under way. */
  Pending pending();

  /** Where it runs. */
  Channel channel();

  /** Sends a request that was due at {@code dueNs}; only when not {@link #isWaiting()}. */
  void send(long id, RequestBytes requests, long dueNs);

  /** True while a request is under way. */
  default boolean isWaiting() {
    return pending().isWaiting();
  }

  /** When the last request was due. */
  default long dueNs() {
    return pending().dueNs();
  }

  /** When it was sent. */
  default long sentNs() {
    return pending().sentNs();
  }

  /** Ends the wait and closes; the close is reported as that of an idle connection. */
  default void giveUp() {
    pending().giveUp();
    var _ = channel().close();
  }

  /** The request that a connection of a load phase has under way, and what became of it. */
  final class Pending {
    private final LoadRun run;
    private final LoadConnection line;
    private boolean waiting;
    private boolean broken; // what still comes on this connection belongs to no request
    private long id;
    private long dueNs;
    private long sentNs;

    Pending(LoadRun run, LoadConnection line) {
      this.run = run;
      this.line = line;
    }

    /** What to do with the connection after an answer. */
    enum Next {
      /** It may carry the next request. */
      KEEP,
      /** Whatever comes next on it cannot be told apart from a missing answer. */
      CLOSE,
      /** It is to be closed already. */
      NOTHING
    }

    void begin(long nextId, long nextDueNs) {
      waiting = true;
      id = nextId;
      dueNs = nextDueNs;
      sentNs = System.nanoTime();
    }

    boolean isWaiting() {
      return waiting;
    }

    long dueNs() {
      return dueNs;
    }

    long sentNs() {
      return sentNs;
    }

    /** Nothing on this connection counts any more. */
    void giveUp() {
      waiting = false;
      broken = true;
    }

    /** An answer has come in. */
    Next answered(int status, boolean judged, ByteBuf body, int offset, int length) {
      if (broken) {
        return Next.NOTHING;
      }
      if (!waiting) {
        broken = true;
        run.unsolicited();
        return Next.CLOSE;
      }
      JsonRpcHead head = JsonRpcHead.read(body, offset, length);
      Outcome outcome = run.judge(id, status, head, length);
      waiting = false;
      broken = outcome.isFault() && outcome != Outcome.BAD_STATUS;
      run.ended(line, outcome, judged);
      return broken ? Next.CLOSE : Next.KEEP;
    }

    /** The peer sent what is no message. */
    void malformed() {
      if (waiting) {
        giveUp();
        run.ended(line, Outcome.BAD_ANSWER, false);
      } else if (!broken) {
        run.unsolicited();
      }
    }

    /** No answer will come. */
    void lost() {
      if (waiting) {
        waiting = false;
        run.ended(line, Outcome.LOST, false);
      }
    }
  }
}
