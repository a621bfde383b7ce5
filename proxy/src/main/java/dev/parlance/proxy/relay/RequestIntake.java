package dev.parlance.proxy.relay;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes one whole request after the other of what the decoder hands on, or says why there is none.
 */
final class RequestIntake {
  /** What a message of the decoder came to. */
  sealed interface Step {
    /** More has to come. */
    record More() implements Step {}

    /**
     * The head is admitted and the body follows.
     *
     * @param expectsContinue true if the client waits for a 100 before it sends the body
     */
    record Begun(boolean expectsContinue) implements Step {}

    /** The request is whole; its body belongs to the receiver. */
    record Whole(WholeRequest request) implements Step {}

    /** There will be no request, and nothing that follows can be trusted. */
    record Refused(Rejection rejection) implements Step {}
  }

  private static final Step MORE = new Step.More();

  private final HttpMessageLimits limits;
  private final Pace pace;
  private final BodyCollector body;
  private StrictRequestGuard.@Nullable Admitted admitted;
  private AnswerForm form = AnswerForm.CHUNKED;
  private boolean keepAlive;

  RequestIntake(ByteBufAllocator allocator, HttpMessageLimits limits, Pace pace) {
    this.limits = limits;
    this.pace = pace;
    this.body = new BodyCollector(allocator, limits.bodyBytes());
  }

  /** A request begins; nothing is known of it yet. */
  void headStarted() {
    form = AnswerForm.CHUNKED;
    keepAlive = false;
  }

  /** The form in which the request that came last has to be answered. */
  AnswerForm form() {
    return form;
  }

  /** True if the connection may be used again after the answer to the request that came last. */
  boolean keepAlive() {
    return keepAlive;
  }

  /** Takes a message of the decoder, which it owns from now on. */
  Step take(Object message) {
    if (message instanceof HeadFault fault) {
      return refused(fault);
    }
    StrictRequestGuard.Admitted head = admitted;
    if (head == null && message instanceof HttpRequest request) {
      return onHead(request);
    }
    if (head != null && message instanceof HttpContent content) {
      return onContent(head, content);
    }
    ReferenceCountUtil.release(message);
    return MORE;
  }

  private Step onHead(HttpRequest request) {
    Optional<HeadFault> fault = DecoderSettings.faultOf(request, "head_malformed");
    if (fault.isPresent()) {
      ReferenceCountUtil.release(request);
      return refused(fault.get());
    }
    form = AnswerForm.of(request);
    return switch (StrictRequestGuard.check(request)) {
      case StrictRequestGuard.Refused(HeadFault refused) -> refused(refused);
      case StrictRequestGuard.Admitted admission -> admit(admission);
    };
  }

  private Step admit(StrictRequestGuard.Admitted admission) {
    if (admission.contentLength() > limits.bodyBytes()) {
      return refused(tooLarge());
    }
    admitted = admission;
    keepAlive = admission.keepAlive();
    pace.bodyBegins(System.nanoTime());
    return new Step.Begun(admission.expectsContinue());
  }

  private Step onContent(StrictRequestGuard.Admitted admission, HttpContent content) {
    Optional<HeadFault> fault = DecoderSettings.faultOf(content, "chunk_malformed");
    if (fault.isPresent()) {
      content.release();
      return refused(fault.get());
    }
    pace.pieceArrived(System.nanoTime());
    if (!body.add(content.content())) {
      return refused(tooLarge());
    }
    if (!(content instanceof LastHttpContent)) {
      return MORE;
    }
    admitted = null;
    StrictRequestGuard.Head head = admission.head();
    return new Step.Whole(
        new WholeRequest(
            head.method(),
            head.target(),
            head.authority(),
            head.absoluteForm(),
            head.headers(),
            body.take()));
  }

  /** Time until the next look at the body that is coming; 0 or less if it has been too slow. */
  long bodyLeftMs() {
    return pace.bodyLeftMs(System.nanoTime(), body.bytes());
  }

  /** Gives up what has been gathered. */
  void release() {
    admitted = null;
    body.release();
  }

  private static HeadFault tooLarge() {
    return new HeadFault(413, "body_too_large", "the body is over the limit");
  }

  private static Step refused(HeadFault fault) {
    String layer = fault.status() == 413 ? "size" : "http1";
    return new Step.Refused(new Rejection(fault.status(), layer, fault.code(), fault.detail()));
  }
}
