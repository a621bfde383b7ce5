package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.testing.Kit;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the console costs a sidecar while nobody looks: two sidecars of one control plane, of which
 * one announces what it holds and the other does not, carry the same messages in turns. What counts
 * is the CPU time of their processes, by the median over the turns, and their resident memory.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class ConsoleCostIT {
  private static final int WARM_UP = 1_500;
  private static final int TURNS = 11;
  private static final int A_TURN = 400;

  /** The two are the same program: what is beyond this is no noise of a busy machine. */
  private static final double MOST = 1.3;

  @TempDir Path folder = Path.of("");
  private final HttpClient caller =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private ChildSidecar sidecar(Kit kit, StubAgent agent, String name, boolean console)
      throws IOException {
    Files.writeString(folder.resolve(name + ".token"), kit.plane.attachToken(name) + "\n");
    return ChildSidecar.start(
        folder,
        name,
        LocalSidecar.inboundTo(agent.port()),
        """
        review: { console: %s }
        control: { target: "%s", agent: %s, tokenFile: %s.token, keysFile: keys }
        routes:
          - { name: all, mode: enforce, grounding: required }
        """
            .formatted(console, kit.plane.grpcAddress(), name, name));
  }

  private void send(ChildSidecar to, int count) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + to.inbound() + "/"))
            .header("Content-Type", "application/json")
            .header("A2A-Version", "1.0")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    A2a.ask("1", "ctx-1", "When must the impeller be replaced?")))
            .build();
    for (int i = 0; i < count; i++) {
      HttpResponse<String> answer = caller.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.body()).contains("2000 operating hours");
    }
  }

  private long cpuUs(ChildSidecar of) throws Exception {
    Duration before = of.cpu();
    send(of, A_TURN);
    return TimeUnit.NANOSECONDS.toMicros(of.cpu().minus(before).toNanos()) / A_TURN;
  }

  private static double median(List<Long> all) {
    return all.stream().sorted().toList().get(all.size() / 2);
  }

  @Test
  void withoutAViewer_messagesAndMemoryCostTheSame() throws Exception {
    try (Kit kit = Kit.start(folder.resolve("control"));
        StubAgent agent =
            new StubAgent(
                asked -> StubAgent.Reply.json(A2a.answer(A2a.idOf(asked), "a-1", A2a.GROUNDED)))) {
      Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
      try (ChildSidecar shown = sidecar(kit, agent, "shown", true);
          ChildSidecar unshown = sidecar(kit, agent, "unshown", false)) {
        kit.awaitAttached("shown", "unshown");
        send(shown, WARM_UP);
        send(unshown, WARM_UP);
        List<Long> with = new ArrayList<>();
        List<Long> without = new ArrayList<>();
        for (int turn = 0; turn < TURNS; turn++) {
          if (turn % 2 == 0) {
            with.add(cpuUs(shown));
            without.add(cpuUs(unshown));
          } else {
            without.add(cpuUs(unshown));
            with.add(cpuUs(shown));
          }
        }
        double cpu = median(with) / median(without);
        double memory = (double) shown.peakBytes() / unshown.peakBytes();
        System.out.printf(
            "console: %.0f us of CPU a request with it, %.0f without (%.2f); %d and %d MiB"
                + " resident (%.2f)%n",
            median(with),
            median(without),
            cpu,
            shown.peakBytes() >> 20,
            unshown.peakBytes() >> 20,
            memory);
        assertThat(Stream.of(cpu, memory)).allMatch(ratio -> ratio < MOST);
      }
    }
  }
}
