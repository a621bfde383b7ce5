package dev.parlance.control.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proto.v1.ConfigStatus;
import dev.parlance.proto.v1.Hello;
import dev.parlance.proto.v1.Pod;
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
    return new ConfigEvents(
        this,
        Hello.newBuilder().setPod(Pod.newBuilder().setNamespace(namespace).setName(pod)).build());
  }

  private static ConfigStatus good(String revision) {
    return ConfigStatus.newBuilder().setRevision(revision).build();
  }

  private static ConfigStatus bad(String detail) {
    return ConfigStatus.newBuilder()
        .setRevision("a1")
        .setRefusedReason("invalid")
        .setRefusedDetail(detail)
        .build();
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
    assertThat(news.last().getRefusedReason()).isEqualTo("invalid");
  }

  @Test
  void textsOfASidecar_areBounded_andFitToBeShown() {
    ConfigEvents news = of("shop", "agent-1");
    news.said(bad("a\u001b[31m\u202e" + "x".repeat(10_000)));
    assertThat(news.last().getRefusedDetail()).hasSize(512).startsWith("a?[31m?xx");
    assertThat(told).singleElement().asString().doesNotContain("\u001b", "\u202e");
  }
}
