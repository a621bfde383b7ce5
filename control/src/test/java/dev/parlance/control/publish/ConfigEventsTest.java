package dev.parlance.control.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.publish.SidecarStream.ConfigEvents;
import dev.parlance.control.publish.api.SidecarHello.PodName;
import dev.parlance.control.publish.api.SidecarReport.ConfigState;
import dev.parlance.service.event.SidecarEvents;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigEventsTest implements SidecarEvents {
  private final List<String> told = new ArrayList<>();

  @Override
  public void configRefused(Place place, String reason, String detail) {
    told.add(place.namespace() + "/" + place.pod() + " " + reason + " " + detail);
  }

  @Override
  public void configInForce(Place place, String revision) {
    told.add(place.namespace() + "/" + place.pod() + " " + revision);
  }

  private ConfigEvents of(String namespace, String pod) {
    return new ConfigEvents(this, new PodName(namespace, pod, ""));
  }

  private static ConfigState good(String revision) {
    return new ConfigState(revision, "", "");
  }

  private static ConfigState bad(String detail) {
    return new ConfigState("a1", "invalid", detail);
  }

  @Test
  void eachRefusal_isToldOnce_andItsEnd() {
    ConfigEvents news = of("shop", "agent-1");
    news.said(good("a1"));
    news.said(bad("2:7 /mode: x"));
    news.said(bad("2:7 /mode: x"));
    news.said(bad("3:1 /z: y"));
    news.said(good("b2"));
    news.said(good("c3"));
    assertThat(told)
        .containsExactly(
            "shop/agent-1 invalid 2:7 /mode: x",
            "shop/agent-1 invalid 3:1 /z: y",
            "shop/agent-1 b2");
    assertThat(news.pod()).isEqualTo("shop/agent-1");
  }

  @ParameterizedTest
  @CsvSource({
    "'', agent",
    "shop, ''",
    "../kube-system, agent",
    "shop, a/b",
    "Shop, agent",
    "s?x, a"
  })
  void whatIsNoPod_isToldToNobody(String namespace, String pod) {
    ConfigEvents news = of(namespace, pod);
    news.said(bad("x"));
    assertThat(told).isEmpty();
    assertThat(news.pod()).isEmpty();
    assertThat(news.last().refusedReason()).isEqualTo("invalid");
  }

  @Test
  void textsOfASidecar_areBounded_andFitToBeShown() {
    ConfigEvents news = of("shop", "agent-1");
    news.said(bad("a\u001b[31m\u202e" + "x".repeat(10_000)));
    assertThat(news.last().refusedDetail()).hasSize(512).startsWith("a?[31m?xx");
    assertThat(told).singleElement().asString().doesNotContain("\u001b", "\u202e");
  }
}
