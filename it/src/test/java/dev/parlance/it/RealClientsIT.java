package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.RunningAgent;
import dev.parlance.demo.agent.Scholar;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Clients and agents on the two public A2A SDKs, none of them changed, with sidecars between them
 * and a tap on every line.
 */
@Tag("client")
@ExtendWith(LeakCheck.class)
class RealClientsIT {
  private static final String FAITHFUL = "What does \"Contributor\" mean?";
  private static final String FAITHFUL_TASK = "What counts as \"Derivative Works\"?";
  private static final String INVENTED =
      "Which court has jurisdiction over disputes about this license?";

  @TempDir Path folder = Path.of("");

  @Test
  void javaClient_throughBothSidecars_toJavaAgent_andBack() throws Exception {
    try (Wiretap officerSide = new Wiretap();
        Wiretap between = new Wiretap();
        Wiretap scholarSide = new Wiretap();
        RunningAgent scholar = RunningAgent.bind("license-scholar");
        LocalSidecar inbound =
            LocalSidecar.start(folder, "scholar", LocalSidecar.inboundTo(scholarSide.port()));
        LocalSidecar outbound = LocalSidecar.start(folder, "officer", LocalSidecar.outbound())) {
      scholarSide.to(scholar.port());
      between.to(inbound.inbound());
      officerSide.to(outbound.outboundPort());
      scholar.startScholar(new Scholar(licence()), between.url() + "/");
      List<AgentReply> replies =
          askThrough(officerSide.port(), between.url(), FAITHFUL, FAITHFUL_TASK, INVENTED);

      assertThat(replies.get(0))
          .isInstanceOfSatisfying(
              AgentReply.Answered.class,
              answer -> {
                assertThat(answer.text()).contains("\"Contributor\" shall mean");
                assertThat(answer.verdict().route()).contains("execute");
              });
      assertThat(replies.get(1))
          .isInstanceOfSatisfying(
              AgentReply.Answered.class,
              answer -> {
                assertThat(answer.taskState()).isEqualTo("completed");
                assertThat(answer.verdict().route()).contains("execute");
              });
      assertThat(replies.get(2))
          .isInstanceOfSatisfying(
              AgentReply.Withheld.class,
              held -> {
                assertThat(held.taskState()).isEqualTo("working");
                assertThat(held.verdict().reviewId()).isPresent();
              });
      assertThat(between.card()).isEqualTo(scholarSide.card());
      assertThat(officerSide.card()).isEqualTo(scholarSide.card());
      for (int i = 0; i < 2; i++) {
        byte[] asked = officerSide.messages().get(i).request().body();
        byte[] answered = scholarSide.messages().get(i).response().body();
        onlySpliced(asked, between.messages().get(i).request().body());
        onlySpliced(asked, scholarSide.messages().get(i).request().body());
        onlySpliced(answered, between.messages().get(i).response().body());
        onlySpliced(answered, officerSide.messages().get(i).response().body());
      }
    }
  }

  @Test
  void javaClient_throughBothSidecars_withMetadataOff_everyByteIsTheAuthors() throws Exception {
    String untouched = "routes:\n  - name: all\n    metadata: false\n";
    try (Wiretap officerSide = new Wiretap();
        Wiretap between = new Wiretap();
        Wiretap scholarSide = new Wiretap();
        RunningAgent scholar = RunningAgent.bind("license-scholar");
        LocalSidecar inbound =
            LocalSidecar.start(
                folder, "scholar", LocalSidecar.inboundTo(scholarSide.port()), untouched);
        LocalSidecar outbound =
            LocalSidecar.start(folder, "officer", LocalSidecar.outbound(), untouched)) {
      scholarSide.to(scholar.port());
      between.to(inbound.inbound());
      officerSide.to(outbound.outboundPort());
      scholar.startScholar(new Scholar(licence()), between.url() + "/");
      askThrough(officerSide.port(), between.url(), FAITHFUL, FAITHFUL_TASK);

      assertThat(scholarSide.messages()).hasSize(2);
      for (int i = 0; i < 2; i++) {
        Wiretap.Exchange near = officerSide.messages().get(i);
        Wiretap.Exchange far = scholarSide.messages().get(i);
        assertThat(far.request().body()).isEqualTo(near.request().body());
        assertThat(near.response().body()).isEqualTo(far.response().body());
        assertThat(A2a.route(near.response())).isEqualTo("execute");
        assertThat(near.response().field("ASP-Signal")).isPresent();
      }
    }
  }

  @Test
  void jsClient_toJavaAgent() throws Exception {
    JsSide js = JsSide.ready();
    try (Wiretap near = new Wiretap();
        Wiretap far = new Wiretap();
        RunningAgent scholar = RunningAgent.bind("license-scholar");
        LocalSidecar sidecar =
            LocalSidecar.start(folder, "scholar", LocalSidecar.inboundTo(far.port()))) {
      far.to(scholar.port());
      near.to(sidecar.inbound());
      scholar.startScholar(new Scholar(licence()), near.url() + "/");
      List<JsonNode> seen = js.ask(near.url(), FAITHFUL, INVENTED);

      assertThat(seen.get(0).path("result").toString())
          .contains("shall mean")
          .contains("\"route\":\"execute\"");
      assertThat(seen.get(1).path("result").toString())
          .contains("/review\":")
          .doesNotContain("Santa Clara");
      assertThat(near.card()).isEqualTo(far.card());
      onlySpliced(near.messages().get(0).request().body(), far.messages().get(0).request().body());
      onlySpliced(
          far.messages().get(0).response().body(), near.messages().get(0).response().body());
    }
  }

  @Test
  void javaClient_toJsAgent() throws Exception {
    JsSide js = JsSide.ready();
    try (Wiretap near = new Wiretap();
        Wiretap far = new Wiretap();
        LocalSidecar sidecar =
            LocalSidecar.start(folder, "js", LocalSidecar.inboundTo(far.port()));
        JsSide.Agent agent = js.agent(near.url())) {
      far.to(agent.port());
      near.to(sidecar.inbound());
      List<AgentReply> replies = askThrough(near.port(), near.url(), "good", "repair", "bad");

      assertThat(replies.get(0))
          .isInstanceOfSatisfying(
              AgentReply.Answered.class,
              answer -> {
                assertThat(answer.text()).contains("2000 operating hours");
                assertThat(answer.verdict().route()).contains("execute");
              });
      assertThat(replies.get(1))
          .isInstanceOfSatisfying(
              AgentReply.Answered.class,
              answer -> assertThat(answer.text()).contains("2000 operating hours"));
      assertThat(replies.get(2)).isInstanceOf(AgentReply.Withheld.class);
      assertThat(agent.executed()).isEqualTo(1 + 2 + 2);
      onlySpliced(
          far.messages().get(0).response().body(), near.messages().get(0).response().body());
    }
  }

  @Test
  void jsClient_toJsAgent_goodIsExecuted_repairIsAskedAgain_badIsHeld() throws Exception {
    JsSide js = JsSide.ready();
    try (Wiretap near = new Wiretap();
        Wiretap far = new Wiretap();
        LocalSidecar sidecar =
            LocalSidecar.start(folder, "js", LocalSidecar.inboundTo(far.port()));
        JsSide.Agent agent = js.agent(near.url())) {
      far.to(agent.port());
      near.to(sidecar.inbound());
      List<JsonNode> seen = js.ask(near.url(), "good", "repair", "bad");

      List<Wiretap.Exchange> told = near.messages();
      List<Wiretap.Exchange> asked = far.messages();
      assertThat(told)
          .extracting(one -> A2a.route(one.response()))
          .containsExactly("execute", "execute", "yield");
      assertThat(asked).hasSize(1 + 2 + 2);
      assertThat(agent.executed()).isEqualTo(1 + 2 + 2);
      assertThat(near.card()).isEqualTo(far.card());
      // The first question and its answer, and the draft that the second question ended with.
      onlySpliced(told.get(0).request().body(), asked.get(0).request().body());
      onlySpliced(asked.get(0).response().body(), told.get(0).response().body());
      onlySpliced(told.get(1).request().body(), asked.get(1).request().body());
      onlySpliced(asked.get(2).response().body(), told.get(1).response().body());

      assertThat(seen.get(0).toString()).contains("2000 operating hours");
      assertThat(seen.get(1).toString()).contains("2000 operating hours");
      // What the SDK itself made of the escalation: a task, and no error.
      assertThat(seen.get(2).has("error")).isFalse();
      assertThat(A2a.state(told.get(2).response())).isEqualTo("TASK_STATE_WORKING");
      assertThat(seen.get(2).toString())
          .contains(A2a.reviewId(told.get(2).response()))
          .doesNotContain("friendly specialists");
    }
  }

  @Test
  void jsClient_toJsAgent_withMetadataOff_everyByteIsTheAuthors() throws Exception {
    JsSide js = JsSide.ready();
    try (Wiretap near = new Wiretap();
        Wiretap far = new Wiretap();
        LocalSidecar sidecar =
            LocalSidecar.start(
                folder,
                "js",
                LocalSidecar.inboundTo(far.port()),
                "routes:\n  - name: all\n    metadata: false\n");
        JsSide.Agent agent = js.agent(near.url())) {
      far.to(agent.port());
      near.to(sidecar.inbound());
      js.ask(near.url(), "good");

      Wiretap.Exchange told = near.messages().getFirst();
      Wiretap.Exchange asked = far.messages().getFirst();
      assertThat(asked.request().body()).isEqualTo(told.request().body());
      assertThat(told.response().body()).isEqualTo(asked.response().body());
      assertThat(A2a.route(told.response())).isEqualTo("execute");
    }
  }

  /** Asks with the Java SDK's client, which is told of a proxy as every JVM can be. */
  private static List<AgentReply> askThrough(int proxyPort, String agent, String... questions)
      throws IOException {
    ProxySelector before = ProxySelector.getDefault();
    ProxySelector.setDefault(new OneProxy(proxyPort));
    try {
      try (AgentCaller caller = AgentCaller.find(AgentCaller.Way.to(agent))) {
        return List.of(questions).stream()
            .map(question -> caller.send(question, "conversation-" + question.hashCode()))
            .toList();
      }
    } finally {
      ProxySelector.setDefault(before);
    }
  }

  /** Everything goes through one port of this machine. */
  private static final class OneProxy extends ProxySelector {
    private final Proxy proxy;

    OneProxy(int port) {
      proxy =
          new Proxy(Proxy.Type.HTTP, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    @Override
    public List<Proxy> select(URI uri) {
      return List.of(proxy);
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException cause) {
      throw new IllegalStateException("no proxy at " + address, cause);
    }
  }

  /** The verdict has come in, and nothing else has changed by a byte. */
  private static void onlySpliced(byte[] written, byte[] arrived) {
    assertThat(Spliced.isIn(written)).isFalse();
    assertThat(Spliced.isIn(arrived)).isTrue();
    assertThat(Spliced.origins(arrived)).contains(Spliced.asWritten(written));
  }

  private static String licence() throws IOException {
    return Files.readString(Path.of("").toAbsolutePath().resolveSibling("LICENSE"));
  }
}
