package dev.parlance.proxy.control.api;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.ByteString;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.ReviewCall;
import dev.parlance.proto.v1.ReviewItems;
import dev.parlance.proto.v1.ReviewRecorded;
import dev.parlance.proto.v1.ReviewReply;
import dev.parlance.proto.v1.ReviewSummary;
import dev.parlance.proto.v1.ReviewVerdict;
import dev.parlance.proto.v1.Welcome;
import dev.parlance.proxy.review.Deliberation;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.proxy.review.ReviewEvent;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.review.ReviewItem.ReviewState;
import dev.parlance.proxy.review.ReviewQueue;
import dev.parlance.service.http.HttpReply;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the review queue holds, as the control plane's console is told of it, and what people do
 * about it there. No words are told before a person opens an item.
 */
public final class ReviewConsole {
  private static final Logger log = LoggerFactory.getLogger(ReviewConsole.class);
  private static final int MAX_ITEMS = 200;

  /** Most bytes of summaries in one message, and of one piece of a reply: half of what is taken. */
  private static final int MAX_PIECE_BYTES = 128 << 10;

  private static final int MAX_CALLS = 16;

  /** Most decisions that are said on one stream, of those that the ledger is not known to have. */
  private static final int MAX_SAID = 1_000;

  private static final int MAX_RECORDED = 20_000;
  private static final int MAX_REPLY_BYTES = 3 << 20;
  private static final int MAX_BODY_BYTES = 64 << 10;
  private static final int TOO_LARGE = 413;
  private static final int TOO_MANY = 429;
  private static final int FAILED = 500;

  private final Semaphore calls = new Semaphore(MAX_CALLS);
  private volatile Optional<Desk> desk = Optional.empty();
  private volatile boolean wanted;
  private volatile boolean records;
  private volatile Consumer<AttachRequest> out = _ -> {};

  /** What the ledger has of what was decided here, by item; each is said until it does. */
  private final Cache<String, Boolean> recorded =
      Caffeine.newBuilder().maximumSize(MAX_RECORDED).executor(Runnable::run).build();

  ReviewConsole() {}

  /** Answers requests of the admin API about the review queue; may block. */
  @FunctionalInterface
  public interface Handler {
    /** The answer to a request in the name of a person. */
    HttpReply answer(String method, String path, String body, String who);
  }

  /**
   * The queue, and who answers for it.
   *
   * @param people how many people have to agree about an item
   * @param clockMs milliseconds since the epoch
   */
  public record Desk(
      ReviewQueue queue, ToIntFunction<ReviewItem> people, Handler handler, LongSupplier clockMs) {}

  /** From now on people may look and decide; before the first stream. Any thread may send. */
  void open(Desk opened, Consumer<AttachRequest> sends) {
    desk = Optional.of(opened);
    out = sends;
    opened
        .queue()
        .listen((_, now) -> {
          if (wanted) {
            sends.accept(items(ReviewItems.newBuilder().addItems(summary(opened, now))));
          }
          if (records && now.settledAtMs().isEmpty()) {
            verdict(now).ifPresent(sends);
          }
        });
  }

  /** True if calls are answered. */
  boolean answers() {
    return desk.isPresent();
  }

  /** Whether items are wanted. On the control thread. */
  void welcomed(Welcome welcome) {
    wanted = welcome.getWantsReviewItems() && answers();
    records = welcome.getRecordsReviews() && answers();
  }

  /** A new stream: all that waits or is released is told. On the control thread. */
  void attached(Consumer<AttachRequest> stream) {
    if (wanted) {
      tellAll(desk.orElseThrow(), stream);
    }
    if (records) {
      desk.orElseThrow().queue().all().stream()
          .flatMap(item -> verdict(item).stream())
          .limit(MAX_SAID)
          .forEach(stream);
    }
  }

  /** What persons have decided about an item, if the ledger is not known to have it. */
  private Optional<AttachRequest> verdict(ReviewItem item) {
    List<ReviewEvent.Vote> votes = item.deliberation().votes();
    return item.decision()
        .filter(_ -> !votes.isEmpty() && recorded.getIfPresent(item.id()) == null)
        .filter(_ -> item.message().content().answer().length > 0)
        .map(made ->
            AttachRequest.newBuilder()
                .setReviewVerdict(
                    ReviewVerdict.newBuilder()
                        .setItem(item.id())
                        .setTextSha256(ByteString.fromHex(item.textSha256()))
                        .setRoute(item.message().origin().routeRule())
                        .setVerdict(made.verdict().code())
                        .addAllWho(
                            votes.stream()
                                .filter(vote -> vote.verdict() == made.verdict())
                                .map(ReviewEvent.Vote::who)
                                .toList())
                        .setAtMs(made.atMs()))
                .build());
  }

  /** The ledger has it, or will not have it: it is not said again. */
  void recorded(ReviewRecorded said) {
    recorded.put(said.getItem(), true);
  }

  private static void tellAll(Desk told, Consumer<AttachRequest> stream) {
    List<ReviewItem> open =
        told.queue().list(EnumSet.of(ReviewState.PENDING, ReviewState.RELEASED), Integer.MAX_VALUE);
    ReviewItems.Builder some = ReviewItems.newBuilder();
    int bytes = 0;
    for (ReviewItem item : open) {
      ReviewSummary one = summary(told, item);
      if (some.getItemsCount() == MAX_ITEMS || bytes + one.getSerializedSize() > MAX_PIECE_BYTES) {
        stream.accept(items(some));
        some.clear();
        bytes = 0;
      }
      some.addItems(one);
      bytes += one.getSerializedSize();
    }
    stream.accept(items(some.setComplete(true)));
  }

  private static AttachRequest items(ReviewItems.Builder items) {
    return AttachRequest.newBuilder().setReviewItems(items).build();
  }

  private static ReviewSummary summary(Desk told, ReviewItem item) {
    HeldMessage held = item.message();
    Deliberation stands = item.deliberation();
    long nowMs = told.clockMs().getAsLong();
    ReviewSummary.Builder summary =
        ReviewSummary.newBuilder()
            .setId(item.id())
            .setTextSha256(ByteString.fromHex(item.textSha256()))
            .setRoute(held.origin().routeRule())
            .addAllReasons(held.cause().reasons())
            .setHeldAtMs(held.heldAtMs())
            .setAsp(held.cause().asp())
            .setDirection(held.origin().direction())
            .setKind(held.origin().kind().code())
            .setProtocol(held.origin().protocol())
            .setCaller(withoutPath(held.origin().caller()))
            .setDestination(withoutPath(held.origin().destination()))
            .setState(item.state().code())
            .setQueue(stands.queue())
            .setPeople(told.people().applyAsInt(item))
            .setVoted(stands.votes().size())
            .setEscalations(stands.escalations());
    if (item.state() == ReviewState.PENDING) {
      summary.setPhase(stands.phase(nowMs).code());
      stands
          .claim()
          .filter(claim -> claim.untilMs() > nowMs)
          .ifPresent(claim -> summary.setOwner(claim.who()).setOwnerUntilMs(claim.untilMs()));
      stands.decided().ifPresent(last -> summary.setCountsAtMs(last.atMs() + last.undoMs()));
    }
    item.decision().ifPresent(made -> summary.setDecidedBy(made.who()));
    return summary.build();
  }

  private static String withoutPath(String place) {
    int slash = place.indexOf('/');
    return slash < 0 ? place : place.substring(0, slash);
  }

  /** A person looks or acts; the reply is sent when it is there. On the control thread. */
  void called(ReviewCall call) {
    Consumer<AttachRequest> sends = out;
    if (desk.isEmpty() || call.getBody().size() > MAX_BODY_BYTES) {
      sends.accept(reply(call, TOO_LARGE));
    } else if (calls.tryAcquire()) {
      Handler handler = desk.get().handler();
      Thread _ =
          Thread.ofVirtual()
              .name("parlance-review-call")
              .start(() -> {
                try {
                  answer(handler, call, sends);
                } finally {
                  calls.release();
                }
              });
    } else {
      sends.accept(reply(call, TOO_MANY));
    }
  }

  private static void answer(Handler handler, ReviewCall call, Consumer<AttachRequest> sends) {
    HttpReply reply;
    try {
      reply =
          handler.answer(
              call.getMethod(), call.getPath(), call.getBody().toStringUtf8(), call.getWho());
    } catch (RuntimeException e) {
      log.atError().setCause(e).log("a call from the console failed");
      sends.accept(reply(call, FAILED));
      return;
    }
    if (reply.body().length > MAX_REPLY_BYTES) {
      sends.accept(reply(call, TOO_LARGE));
      return;
    }
    ByteString body = ByteString.copyFrom(reply.body());
    int from = 0;
    while (body.size() - from > MAX_PIECE_BYTES) {
      ByteString piece = body.substring(from, from + MAX_PIECE_BYTES);
      sends.accept(reply(ReviewReply.newBuilder().setBody(piece).setMore(true), call));
      from += MAX_PIECE_BYTES;
    }
    sends.accept(
        reply(
            ReviewReply.newBuilder().setStatus(reply.status()).setBody(body.substring(from)),
            call));
  }

  private static AttachRequest reply(ReviewCall call, int status) {
    return reply(ReviewReply.newBuilder().setStatus(status), call);
  }

  private static AttachRequest reply(ReviewReply.Builder reply, ReviewCall to) {
    return AttachRequest.newBuilder().setReviewReply(reply.setCall(to.getCall())).build();
  }
}
