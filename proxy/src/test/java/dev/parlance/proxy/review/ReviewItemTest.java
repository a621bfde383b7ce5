package dev.parlance.proxy.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.proxy.review.ReviewEvent.Verdict;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReviewItemTest {
  private static final ReviewEvent RELEASE = new ReviewEvent.Release("ann", "fine", 5);
  private static final ReviewEvent REJECT = new ReviewEvent.Reject("bob", "", 6);
  private static final ReviewEvent DELIVER = new ReviewEvent.Deliver(7);
  private static final ReviewEvent EXPIRE = new ReviewEvent.Expire(8);
  private static final ReviewEvent SEND_BACK =
      new ReviewEvent.Vote("ann", "cite the clause", Verdict.SEND_BACK, 1, 0, 9);

  private static ReviewItem in(ReviewItem.ReviewState state) {
    ReviewItem pending = ReviewItem.pending("r-1", Messages.message("k"));
    return switch (state) {
      case PENDING -> pending;
      case RELEASED -> moved(pending, RELEASE);
      case REJECTED -> moved(pending, REJECT);
      case DELIVERED -> moved(moved(pending, RELEASE), DELIVER);
      case EXPIRED -> moved(moved(pending, RELEASE), EXPIRE);
      case SENT_BACK -> moved(pending, SEND_BACK);
    };
  }

  private static ReviewItem moved(ReviewItem item, ReviewEvent event) {
    return switch (item.step(event)) {
      case ReviewItem.Step.Moved(ReviewItem next) -> next;
      case ReviewItem.Step.Refused _ ->
          throw new AssertionError(item.state() + " refused " + event);
    };
  }

  static Stream<Arguments> table() {
    return Stream.of(
        row(ReviewItem.ReviewState.PENDING, RELEASE, ReviewItem.ReviewState.RELEASED),
        row(ReviewItem.ReviewState.PENDING, REJECT, ReviewItem.ReviewState.REJECTED),
        row(ReviewItem.ReviewState.PENDING, SEND_BACK, ReviewItem.ReviewState.SENT_BACK),
        refused(ReviewItem.ReviewState.RELEASED, SEND_BACK),
        refused(ReviewItem.ReviewState.REJECTED, SEND_BACK),
        refused(ReviewItem.ReviewState.DELIVERED, SEND_BACK),
        refused(ReviewItem.ReviewState.EXPIRED, SEND_BACK),
        refused(ReviewItem.ReviewState.SENT_BACK, RELEASE),
        refused(ReviewItem.ReviewState.SENT_BACK, REJECT),
        refused(ReviewItem.ReviewState.SENT_BACK, SEND_BACK),
        refused(ReviewItem.ReviewState.SENT_BACK, DELIVER),
        refused(ReviewItem.ReviewState.SENT_BACK, EXPIRE),
        refused(ReviewItem.ReviewState.PENDING, DELIVER),
        refused(ReviewItem.ReviewState.PENDING, EXPIRE),
        refused(ReviewItem.ReviewState.RELEASED, RELEASE),
        refused(ReviewItem.ReviewState.RELEASED, REJECT),
        row(ReviewItem.ReviewState.RELEASED, DELIVER, ReviewItem.ReviewState.DELIVERED),
        row(ReviewItem.ReviewState.RELEASED, EXPIRE, ReviewItem.ReviewState.EXPIRED),
        refused(ReviewItem.ReviewState.REJECTED, RELEASE),
        refused(ReviewItem.ReviewState.REJECTED, REJECT),
        refused(ReviewItem.ReviewState.REJECTED, DELIVER),
        refused(ReviewItem.ReviewState.REJECTED, EXPIRE),
        refused(ReviewItem.ReviewState.DELIVERED, RELEASE),
        refused(ReviewItem.ReviewState.DELIVERED, REJECT),
        refused(ReviewItem.ReviewState.DELIVERED, DELIVER),
        refused(ReviewItem.ReviewState.DELIVERED, EXPIRE),
        refused(ReviewItem.ReviewState.EXPIRED, RELEASE),
        refused(ReviewItem.ReviewState.EXPIRED, REJECT),
        refused(ReviewItem.ReviewState.EXPIRED, DELIVER),
        refused(ReviewItem.ReviewState.EXPIRED, EXPIRE));
  }

  private static Arguments row(
      ReviewItem.ReviewState from, ReviewEvent event, ReviewItem.ReviewState to) {
    return Arguments.of(from, event, Optional.of(to));
  }

  private static Arguments refused(ReviewItem.ReviewState from, ReviewEvent event) {
    return Arguments.of(from, event, Optional.empty());
  }

  @ParameterizedTest(name = "{0} + {1} -> {2}")
  @MethodSource("table")
  void everyEventInEveryState_followsTheTable(
      ReviewItem.ReviewState from, ReviewEvent event, Optional<ReviewItem.ReviewState> to) {
    ReviewItem item = in(from);
    switch (item.step(event)) {
      case ReviewItem.Step.Moved(ReviewItem next) ->
          assertThat(Optional.of(next.state())).isEqualTo(to);
      case ReviewItem.Step.Refused(ReviewItem unchanged, _) -> {
        assertThat(to).isEmpty();
        assertThat(unchanged).isSameAs(item);
      }
    }
  }

  @Test
  void decidedItems_canBeRead_andOnlyWhatMayBeDeliveredKeepsItsBody() {
    for (ReviewItem.ReviewState state : ReviewItem.ReviewState.values()) {
      HeldMessage message = in(state).message();
      boolean gone =
          state == ReviewItem.ReviewState.REJECTED
              || state == ReviewItem.ReviewState.SENT_BACK
              || state == ReviewItem.ReviewState.EXPIRED;
      assertThat(message.content().body()).as(state.code()).hasSize(gone ? 0 : 20);
      assertThat(message.content().headers()).hasSize(gone ? 0 : 2);
      assertThat(message.content().question()).isNotEmpty();
      assertThat(message.content().answer()).isNotEmpty();
      assertThat(message.content().material().drafts()).hasSize(2);
      assertThat(message.content().material().backing().chunks()).hasSize(1);
      assertThat(message.cause().reasons()).containsExactly("g_low", "budget");
    }
  }

  @Test
  void whoDecidedAndWhy_isRemembered() {
    assertThat(in(ReviewItem.ReviewState.DELIVERED).decision())
        .contains(new ReviewItem.Decision("ann", "fine", 5, Verdict.RELEASE));
    assertThat(in(ReviewItem.ReviewState.DELIVERED).settledAtMs()).hasValue(7);
    assertThat(in(ReviewItem.ReviewState.REJECTED).decision())
        .contains(new ReviewItem.Decision("bob", "", 6, Verdict.REJECT));
  }

  @Test
  void impossibleItems_areRefused() {
    HeldMessage message = Messages.message("k");
    assertThatThrownBy(() ->
            new ReviewItem(
                "r-1",
                ReviewItem.ReviewState.RELEASED,
                message,
                Optional.empty(),
                OptionalLong.empty(),
                Deliberation.NONE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ReviewEvent.Release(" ", "", 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
