package dev.parlance.inject.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.inject.kube.KubeClient.KubeAnswer;
import dev.parlance.inject.kube.KubeClient.KubeEvent;
import dev.parlance.service.event.SidecarEvents;
import java.time.Instant;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class KubeEventsTest implements KubeEvents.Api {
  private static final SidecarEvents.Place POD = new SidecarEvents.Place("shop", "agent-1", "0f");

  private final List<KubeEvent> written = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicLong nowMs = new AtomicLong(1_000_000);
  private volatile KubeAnswer answer = new KubeAnswer.Done(JsonNodeFactory.instance.objectNode());
  private final KubeEvents events = new KubeEvents(this, () -> Instant.ofEpochMilli(nowMs.get()));

  @Override
  public KubeAnswer write(KubeEvent event) {
    written.add(event);
    return answer;
  }

  @Override
  public void close() {
    closed.countDown();
  }

  @AfterEach
  void end() {
    events.close();
  }

  @Test
  void refusal_isAWarningAboutThePod_andItsEndIsNormal() {
    events.configRefused(POD, "invalid", "2:7 /mode: got \"x\"");
    events.configInForce(POD, "b2");
    await().until(() -> written.size() == 2);
    KubeEvent refused = written.getFirst();
    assertThat(refused.type()).isEqualTo(KubeEvent.Type.Warning);
    assertThat(refused.reason()).isEqualTo("ConfigRefused");
    assertThat(refused.namespace()).isEqualTo("shop");
    assertThat(refused.about()).isEqualTo(new KubeEvent.About("v1", "Pod", "agent-1", "0f"));
    assertThat(refused.message()).contains("(invalid): 2:7 /mode");
    assertThat(written.getLast().type()).isEqualTo(KubeEvent.Type.Normal);
    assertThat(written.getLast().message()).contains("b2");
  }

  @Test
  void sidecarThatFlaps_makesOneWarningInTenSeconds() {
    for (int i = 0; i < 50; i++) {
      events.configRefused(POD, "invalid", "time " + i);
    }
    nowMs.addAndGet(10_001);
    events.configRefused(POD, "invalid", "later");
    await().until(() -> !written.isEmpty() && written.getLast().message().contains("later"));
    assertThat(written).hasSize(2);
  }

  @Test
  void apiServerThatRefuses_isNoFailure() {
    answer = new KubeAnswer.Refused(403, "events is forbidden");
    events.configRefused(POD, "invalid", "a");
    await().until(() -> written.size() == 1);
    answer = new KubeAnswer.Unreachable("connection refused");
    events.configRefused(new SidecarEvents.Place("shop", "agent-2", ""), "syntax", "b");
    await().until(() -> written.size() == 2);
  }

  @Test
  void close_closesTheApi() throws InterruptedException {
    events.close();
    closed.await();
  }

  @Test
  void whoeverTellsPeople_isFoundOnTheClassPath() {
    assertThat(ServiceLoader.load(SidecarEvents.Provider.class))
        .hasSize(1)
        .first()
        .isInstanceOf(KubeEvents.Provider.class);
  }
}
