package dev.parlance.relay.server;

import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.http1.BodyReader;
import dev.parlance.relay.http1.HeadFault;
import dev.parlance.relay.http1.HeadReader;
import dev.parlance.relay.http1.HeaderFields;
import dev.parlance.relay.http1.MessageWriter.ResponseForm;
import dev.parlance.relay.http1.StrictRequestGuard;
import dev.parlance.relay.net.BodyCollector;
import dev.parlance.relay.net.InboundBuffer;
import dev.parlance.relay.net.MinimumRate;
import dev.parlance.relay.net.RequestMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Parses HTTP/1.1 requests, one whole request after the other, or says why there is none. The bytes
 * behind a request stay raw until the next is asked for.
 */
final class RequestReader {
  /** What the bytes came to. */
  sealed interface Step {
    /** More has to come. */
    record More() implements Step {}

    /**
     * The head is admitted and the body follows.
     *
     * @param expectsContinue true if the client waits for a 100 before it sends the body
     */
    record Begun(boolean expectsContinue) implements Step {}

    /** The head is good, but there is no memory for so many bytes of body now. */
    record Full(long bytes) implements Step {}

    /** The request is whole; its body belongs to the receiver. */
    record Whole(WholeRequest request) implements Step {}

    /** A tunnel is asked for; what follows is not HTTP. */
    record Connect(String authority) implements Step {}

    /**
     * The request cannot be taken whole and goes on unread, with what follows it.
     *
     * @param reason {@code upgrade} or {@code body}
     * @param request its body is what has been read of it, in its framing
     * @param framing fields of its head that say how it is framed, and what the connection is for
     */
    record Passage(String reason, WholeRequest request, Map<String, String> framing)
        implements Step {
      /** Takes a copy. */
      public Passage {
        framing = Map.copyOf(framing);
      }
    }

    /** There will be no request, and nothing that follows can be trusted. */
    record Refused(Rejection rejection) implements Step {}
  }

  private static final Step MORE = new Step.More();

  /** What a body of unknown length is taken for; what it has beyond is counted as it comes. */
  private static final long CHUNKED_BYTES = 16 * 1024;

  /** Memory for a long head is taken in steps of this. */
  private static final long HEAD_STEP_BYTES = 16 * 1024;

  private final HttpMessageLimits limits;
  private final MinimumRate pace;
  private final InboundBuffer incoming;
  private final HeadReader head;
  private final BodyReader framing;
  private final BodyCollector body;
  private final RequestMemory memory;
  private final RequestMemory heads;
  private final BooleanSupplier lenient;
  private final BooleanSupplier large;
  private StrictRequestGuard.@Nullable Admitted admitted;
  private StrictRequestGuard.@Nullable Admitted waiting;
  private long taken;
  private long headTaken;
  private ResponseForm form = ResponseForm.CHUNKED;
  private boolean keepAlive;
  private boolean begunTold;
  private boolean discarding;
  private boolean tunnels;

  RequestReader(
      ByteBufAllocator allocator,
      HttpMessageLimits limits,
      MinimumRate pace,
      RequestMemory memory,
      RequestMemory heads) {
    this(allocator, limits, pace, memory, heads, () -> false, () -> false);
  }

  /**
   * @param lenient whether odd heads are let through, asked before each
   * @param large whether bodies over the limit may go on as they come, asked of each
   */
  RequestReader(
      ByteBufAllocator allocator,
      HttpMessageLimits limits,
      MinimumRate pace,
      RequestMemory memory,
      RequestMemory heads,
      BooleanSupplier lenient,
      BooleanSupplier large) {
    this.lenient = lenient;
    this.large = large;
    this.memory = memory;
    this.heads = heads;
    this.limits = limits;
    this.pace = pace;
    this.incoming = new InboundBuffer(allocator);
    this.head = new HeadReader(HeadReader.Kind.REQUEST, limits);
    this.framing = new BodyReader(HeadReader.Kind.REQUEST, limits);
    this.body = new BodyCollector(allocator, limits.bodyBytes());
  }

  /** The form in which the request that came last has to be answered. */
  ResponseForm form() {
    return form;
  }

  /** True if the connection may be used again after the answer to the request that came last. */
  boolean keepAlive() {
    return keepAlive;
  }

  /** True once a byte of a request has been seen that is not whole yet. */
  boolean started() {
    return head.started();
  }

  /** Takes bytes, which it owns from now on. */
  void add(ByteBuf bytes) {
    if (discarding) {
      bytes.release();
    } else {
      incoming.add(bytes);
    }
  }

  /** Bytes that have not been looked at. */
  int unread() {
    return incoming.size();
  }

  /** Reads as far as the next thing that somebody has to know. */
  Step next() {
    Step step = read();
    if (step instanceof Step.More) {
      incoming.settle();
    }
    return step;
  }

  private Step read() {
    if (discarding) {
      return MORE;
    }
    StrictRequestGuard.Admitted present = admitted;
    if (present == null) {
      present = waiting;
      if (present == null) {
        Step none = readHead();
        if (none != null) {
          return none;
        }
        present = waiting;
      }
      if (present == null) {
        throw new IllegalStateException("a head that was read is admitted");
      }
      waiting = null;
      admit(present);
      if (present.expectsContinue()) {
        return begun(present);
      }
    }
    return readBody(present);
  }

  /** Reads a head; null once it is admitted and there is memory for its body. */
  private @Nullable Step readHead() {
    if (!head.started()) {
      head.lenient(lenient.getAsBoolean());
    }
    Optional<HeadFault> fault = head.read(incoming.bytes());
    if (fault.isPresent()) {
      letHeadGo();
      unknownForm();
      return refused(fault.get());
    }
    if (!head.ended()) {
      return holdsHead() ? MORE : refusedHead();
    }
    letHeadGo();
    form = ResponseForm.of(head);
    Optional<String> tunnel = tunnels ? StrictRequestGuard.tunnel(head) : Optional.empty();
    if (tunnel.isPresent()) {
      return new Step.Connect(tunnel.get());
    }
    return switch (StrictRequestGuard.check(head)) {
      case StrictRequestGuard.Refused(HeadFault refused) -> {
        keepAlive = false;
        yield refused(refused);
      }
      case StrictRequestGuard.Admitted admission -> {
        if (admission.upgrade().isPresent()
            ? tunnels && head.isLenient()
            : admission.contentLength() > limits.bodyBytes() && passesLarge()) {
          yield passage(admission, Unpooled.EMPTY_BUFFER);
        }
        if (admission.contentLength() > limits.bodyBytes()) {
          keepAlive = false;
          yield refused(tooLarge());
        }
        waiting = admission;
        long bytes = admission.contentLength() < 0 ? CHUNKED_BYTES : admission.contentLength();
        bytes += head.fieldBytes() > HttpMessageLimits.SHORT_HEAD_BYTES ? head.fieldBytes() : 0;
        if (bytes > 0 && !memory.take(bytes)) {
          yield new Step.Full(bytes);
        }
        taken = bytes;
        yield null;
      }
    };
  }

  /** Takes memory for what has come of a long head; false if there is none. */
  private boolean holdsHead() {
    long bytes = head.fieldBytes() + (long) incoming.size();
    if (bytes <= HttpMessageLimits.SHORT_HEAD_BYTES || bytes <= headTaken) {
      return true;
    }
    long more = (bytes / HEAD_STEP_BYTES + 1) * HEAD_STEP_BYTES - headTaken;
    boolean held = heads.take(more);
    headTaken += held ? more : 0;
    return held;
  }

  private Step refusedHead() {
    letHeadGo();
    unknownForm();
    return new Step.Refused(Rejection.REQUEST_MEMORY);
  }

  private void letHeadGo() {
    if (headTaken > 0) {
      heads.letGo(headTaken);
      headTaken = 0;
    }
  }

  /** The memory that was missing has been taken: reading goes on. */
  void granted(long bytes) {
    taken = bytes;
  }

  /** The request has been answered, or given up: others may have its memory. */
  void letGo() {
    letHeadGo();
    if (taken > 0) {
      memory.letGo(taken);
      taken = 0;
    }
  }

  private void admit(StrictRequestGuard.Admitted admission) {
    admitted = admission;
    begunTold = false;
    keepAlive = admission.keepAlive();
    if (admission.contentLength() < 0) {
      framing.expectChunks(head.fieldBytes());
    } else {
      framing.expectLength(admission.contentLength());
      body.expect(admission.contentLength());
    }
  }

  private Step begun(StrictRequestGuard.Admitted admission) {
    begunTold = true;
    pace.bodyBegins(System.nanoTime());
    return new Step.Begun(admission.expectsContinue());
  }

  private Step readBody(StrictRequestGuard.Admitted admission) {
    boolean came = false;
    while (true) {
      switch (framing.ahead(incoming.bytes())) {
        case BODY -> {
          came = true;
          if (framing.length() > body.maxBytes() - body.bytes() && passesLarge()) {
            return passage(admission, begunChunk());
          }
          if (!body.add(incoming.take(framing.length()))) {
            return refused(tooLarge());
          }
          if (body.bytes() > taken) {
            memory.takeMore(body.bytes() - taken);
            taken = body.bytes();
          }
        }
        case MORE -> {
          if (!begunTold) {
            return begun(admission);
          }
          if (came) {
            pace.pieceArrived(System.nanoTime());
          }
          return MORE;
        }
        case FAULT -> {
          return refused(framing.fault().orElseThrow());
        }
        case END -> {
          return new Step.Whole(whole(admission.head()));
        }
      }
    }
  }

  /** True if a body that cannot be taken whole may go on unread. */
  private boolean passesLarge() {
    return tunnels && large.getAsBoolean();
  }

  private Step passage(StrictRequestGuard.Admitted admission, ByteBuf begun) {
    Map<String, String> framed = new HashMap<>();
    if (admission.contentLength() < 0) {
      framed.put("transfer-encoding", "chunked");
    } else if (admission.contentLength() > 0) {
      framed.put("content-length", Long.toString(admission.contentLength()));
    }
    if (admission.upgrade().isPresent()) {
      framed.put("upgrade", admission.upgrade().get());
      framed.put("connection", "upgrade");
    } else {
      framed.put("connection", "close");
    }
    HeaderFields fields = HeaderFields.from(admission.head().headers());
    if (!admission.expectsContinue() || begunTold) {
      fields.remove("expect");
    } else if (!fields.contains("expect")) {
      framed.put("expect", "100-continue");
    }
    admitted = null;
    return new Step.Passage(
        admission.upgrade().isPresent() ? "upgrade" : "body", admission.head().with(begun), framed);
  }

  /** What there is of the body as the beginning of one chunk, which ends as the present one. */
  private ByteBuf begunChunk() {
    long size = body.bytes() + framing.length() + framing.left();
    ByteBuf line =
        Unpooled.copiedBuffer(Long.toHexString(size) + "\r\n", StandardCharsets.US_ASCII);
    return Unpooled.wrappedBuffer(line, body.take());
  }

  private WholeRequest whole(StrictRequestGuard.Head asked) {
    admitted = null;
    HeaderFields.from(asked.headers()).trail(framing.trailers());
    head.reset();
    incoming.settle();
    return asked.with(body.take());
  }

  /** Time until the first look at a body that has begun. */
  long firstBodyLookMs() {
    return pace.firstBodyLookMs();
  }

  /** Time until the next look at the body that is coming; 0 or less if it has been too slow. */
  long bodyLeftMs() {
    long nowNs = System.nanoTime();
    return pace.bodyLeftMs(nowNs, body.bytes(), memory.isWanted(nowNs));
  }

  /** A {@code CONNECT} is no fault any more. */
  void tunnels() {
    tunnels = true;
  }

  /** What has come and was not read; it belongs to the caller. */
  ByteBuf rest() {
    return incoming.take(incoming.size());
  }

  /** Gives up what has been gathered, and drops everything from here on. */
  void discardRest() {
    discarding = true;
    admitted = null;
    incoming.drop();
    body.release();
    letGo();
  }

  /** There is no more to know of the request than that it is none. */
  void unknownForm() {
    form = ResponseForm.CHUNKED;
    keepAlive = false;
  }

  private static HeadFault tooLarge() {
    return new HeadFault(413, "body_too_large", "the body is over the limit");
  }

  private static Step refused(HeadFault fault) {
    String layer = fault.status() == 413 ? "size" : "http1";
    return new Step.Refused(new Rejection(fault.status(), layer, fault.code(), fault.detail()));
  }
}
