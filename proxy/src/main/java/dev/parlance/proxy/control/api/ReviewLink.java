package dev.parlance.proxy.control.api;

import com.google.protobuf.ByteString;
import dev.parlance.policy.core.Names;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.ReviewAck;
import dev.parlance.proto.v1.ReviewDecided;
import dev.parlance.proto.v1.ReviewPush;
import dev.parlance.proto.v1.ReviewTaken;
import dev.parlance.proxy.review.SharedDecisions;
import dev.parlance.proxy.review.SharedDecisions.Decided;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** What persons have decided, as it is said and heard on the stream. */
final class ReviewLink {
  private static final Pattern ITEM = Pattern.compile("r-[0-9a-z]{1,40}");
  private static final int MAX_TEXTS = 8;
  private static final int DIGEST_BYTES = 16;
  private static final int MAX_NOTE = 4_000;
  private static final long LONGEST_MS = TimeUnit.DAYS.toMillis(31);

  private volatile Optional<SharedDecisions> shared = Optional.empty();

  /** Decisions go out and come in from now on; any thread may send. */
  void share(SharedDecisions decisions, Consumer<AttachRequest> out) {
    shared = Optional.of(decisions);
    decisions.saysTo(decided -> out.accept(message(decided)));
  }

  /** True if others' decisions are wanted. */
  boolean takes() {
    return shared.isPresent();
  }

  /** A new stream: what is not known to be taken is said again. On the control thread. */
  void attached(Consumer<AttachRequest> out) {
    shared.ifPresent(
        decisions -> decisions.untaken().forEach(decided -> out.accept(message(decided))));
  }

  private static AttachRequest message(Decided decided) {
    return AttachRequest.newBuilder()
        .setReview(
            ReviewDecided.newBuilder()
                .setItem(decided.item())
                .setPeer(decided.agent())
                .addAllTexts(decided.texts().stream().map(ByteString::fromHex).toList())
                .setApproved(decided.approved())
                .setForMs(decided.forMs())
                .setNote(decided.note()))
        .build();
  }

  /** The control plane has a decision, or will not have it. */
  void taken(ReviewTaken taken) {
    shared.ifPresent(decisions -> decisions.taken(taken.getItem(), !taken.getRefused().isEmpty()));
  }

  /** A decision was pushed; what is returned is sent back. On the control thread. */
  AttachRequest pushed(ReviewPush push) {
    boolean isGood =
        ITEM.matcher(push.getItem()).matches()
            && Names.isName(push.getBy())
            && push.getForMs() >= 1
            && push.getNote().length() <= MAX_NOTE
            && push.getTextsCount() <= MAX_TEXTS
            && push.getTextsList().stream().allMatch(text -> text.size() == DIGEST_BYTES);
    if (isGood) {
      shared.ifPresent(decisions ->
          decisions.hear(
              new Decided(
                  push.getItem(),
                  push.getBy(),
                  push.getTextsList().stream()
                      .map(text -> HexFormat.of().formatHex(text.toByteArray()))
                      .toList(),
                  push.getApproved(),
                  Math.min(push.getForMs(), LONGEST_MS),
                  push.getNote())));
    }
    return AttachRequest.newBuilder()
        .setReviewAck(ReviewAck.newBuilder().setSequence(push.getSequence()))
        .build();
  }
}
