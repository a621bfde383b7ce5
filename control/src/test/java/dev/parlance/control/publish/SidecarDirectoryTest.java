package dev.parlance.control.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.publish.SidecarDirectory.ItemChanges;
import dev.parlance.control.publish.SidecarDirectory.Seat;
import dev.parlance.control.publish.SidecarDirectory.Standing;
import dev.parlance.control.publish.SidecarLink.PublishedBoard;
import dev.parlance.control.publish.SidecarLink.PublishedCore;
import dev.parlance.control.publish.SidecarLink.StreamEnd;
import dev.parlance.control.publish.api.SidecarHello;
import dev.parlance.control.publish.api.SidecarHello.AnnouncedKey;
import dev.parlance.control.publish.api.StoredQuestion;
import dev.parlance.control.store.Store.ReviewRow;
import dev.parlance.proto.v1.Hello;
import dev.parlance.service.event.SidecarEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SidecarDirectoryTest {
  private static final ControlMetrics METRICS = new ControlMetrics("test", "test");
  private static final Seat ANN = new Seat("ann", "ann-1");

  private final AtomicLong clockMs = new AtomicLong(1_000);
  private final SidecarDirectory directory = new SidecarDirectory(clockMs::get);

  private static HeldItem item(String id, String state) {
    return new HeldItem(
        id,
        "00",
        new HeldItem.Place("inbound", "response", "a2a-1.0", "10.0.0.1", "agent:80"),
        "billing",
        List.of("g_low"),
        5,
        "",
        state,
        "open",
        "",
        1,
        0,
        Optional.empty(),
        OptionalLong.empty(),
        0,
        "");
  }

  private SidecarStream attach(String agent, String node) {
    SidecarHello hello =
        SidecarHello.of(
            Hello.newBuilder().setAgent(agent).setNode(node).setAnswersReviews(true).build());
    SidecarStream stream =
        new SidecarStream(
            new Nowhere(),
            METRICS,
            hello,
            SidecarEvents.NOBODY,
            _ -> Optional.empty(),
            new OpenCalls(METRICS, new AtomicLong()),
            0);
    directory.attached(stream, hello);
    return stream;
  }

  private List<String> open() {
    return directory.open(ANN).stream().map(HeldItem::id).toList();
  }

  private Standing ann() {
    return directory.standing(ANN).orElseThrow();
  }

  @Test
  void whatASidecarHolds_isKnown_andWholeOnceItHasSaidAll() {
    SidecarStream stream = attach("ann", "ann-1");
    directory.announced(stream, List.of(item("r-2", "pending"), item("r-1", "released")), false);
    assertThat(ann().isWhole()).isFalse();
    directory.announced(stream, List.of(item("r-3", "pending")), true);
    assertThat(open()).containsExactly("r-1", "r-2", "r-3");
    assertThat(ann().isWhole()).isTrue();
    assertThat(ann().waiting()).isEqualTo(2);
    directory.announced(stream, List.of(item("r-2", "rejected")), false);
    assertThat(open()).containsExactly("r-1", "r-3");
  }

  @Test
  void whoIsGone_staysWithItsItems_untilItAttachesAgain_andSaysWhatIsLeft() {
    SidecarStream first = attach("ann", "ann-1");
    directory.announced(first, List.of(item("r-1", "pending"), item("r-2", "pending")), true);
    directory.gone(first);
    assertThat(ann().attached()).isFalse();
    assertThat(directory.stream(ANN)).isEmpty();
    assertThat(open()).containsExactly("r-1", "r-2");
    SidecarStream second = attach("ann", "ann-1");
    assertThat(open()).as("not said yet").containsExactly("r-1", "r-2");
    directory.announced(second, List.of(item("r-2", "pending")), true);
    assertThat(open()).containsExactly("r-2");
    assertThat(directory.stream(ANN)).containsSame(second);
    directory.gone(first);
    directory.announced(first, List.of(item("r-9", "pending")), true);
    assertThat(ann().attached()).as("an old stream says nothing any more").isTrue();
    assertThat(open()).containsExactly("r-2");
  }

  @Test
  void eachChange_isToldOnce_inOrder() {
    SidecarStream stream = attach("ann", "ann-1");
    directory.announced(stream, List.of(item("r-1", "pending"), item("r-2", "pending")), true);
    ItemChanges first = directory.changes(ANN, -1);
    assertThat(first.items()).extracting(HeldItem::id).containsExactly("r-1", "r-2");
    directory.announced(stream, List.of(item("r-2", "delivered")), false);
    directory.announced(stream, List.of(item("r-3", "pending")), false);
    ItemChanges second = directory.changes(ANN, first.until());
    assertThat(second.items()).extracting(HeldItem::id).containsExactly("r-2", "r-3");
    assertThat(directory.changes(ANN, second.until()).items()).isEmpty();
  }

  @Test
  void oneSidecarsItems_areBounded_andThatIsKnown() {
    SidecarStream stream = attach("ann", "ann-1");
    List<HeldItem> many = new ArrayList<>();
    for (int i = 0; i <= SidecarDirectory.MAX_ITEMS; i++) {
      many.add(item("r-" + i, "pending"));
    }
    directory.announced(stream, many, true);
    assertThat(ann().open()).isEqualTo(SidecarDirectory.MAX_ITEMS);
    assertThat(ann().isWhole()).isFalse();
    for (int i = 0; i < 2 * SidecarDirectory.MAX_SETTLED; i++) {
      directory.announced(stream, List.of(item("r-s" + i, "expired")), false);
    }
    assertThat(directory.changes(ANN, -1).items())
        .hasSize(SidecarDirectory.MAX_ITEMS + SidecarDirectory.MAX_SETTLED);
  }

  @Test
  void whoHasGoneWithoutItems_isForgottenAfterAWhile_andWhoHasSomeIsNot() {
    SidecarStream ann = attach("ann", "ann-1");
    directory.announced(ann, List.of(item("r-1", "pending")), true);
    SidecarStream ben = attach("ben", "ben-1");
    directory.gone(ann);
    directory.gone(ben);
    assertThat(directory.count(false)).isEqualTo(2);
    clockMs.addAndGet(SidecarDirectory.EMPTY_GONE_MS + 1);
    long before = directory.membership();
    directory.gone(attach("carl", "carl-1"));
    assertThat(directory.seats()).containsExactly(ANN, new Seat("carl", "carl-1"));
    assertThat(directory.membership()).isGreaterThan(before);
  }

  @Test
  void ofThoseThatAreGone_theLatestAreKept() {
    for (int i = 0; i <= SidecarDirectory.MAX_GONE; i++) {
      SidecarStream one = attach("a" + i, "n");
      directory.announced(one, List.of(item("r-1", "pending")), true);
      directory.gone(one);
    }
    assertThat(directory.seats())
        .hasSize(SidecarDirectory.MAX_GONE)
        .doesNotContain(new Seat("a0", "n"));
  }

  /** A way to a sidecar that nothing is said on. */
  private static final class Nowhere implements SidecarLink {
    @Override
    public boolean isReady() {
      return false;
    }

    @Override
    public void welcome(String replica, int reportIntervalMs) {}

    @Override
    public void push(PublishedCore core) {}

    @Override
    public void push(PublishedBoard board) {}

    @Override
    public void push(ReviewRow decision) {}

    @Override
    public void pushTrust() {}

    @Override
    public void push(List<AnnouncedKey> verdictKeys) {}

    @Override
    public void taken(String item, String refused) {}

    @Override
    public void call(String id, PersonCall call) {}

    @Override
    public void ask(StoredQuestion question) {}

    @Override
    public void end(StreamEnd why, String detail) {}
  }
}
