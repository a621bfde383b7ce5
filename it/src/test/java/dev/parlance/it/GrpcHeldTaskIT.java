package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.proto.ProtoWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The task of a held answer over gRPC. */
class GrpcHeldTaskIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A task, its status, and in this its state. */
  private static final String STATE = "\u001a.{1,3}\b%s";

  @ParameterizedTest
  @CsvSource({
    "/lf.a2a.v1.A2AService/SubscribeToTask,2,'',release,3",
    "/lf.a2a.v1.A2AService/SubscribeToTask,2,'',reject,7",
    "/a2a.v1.A2AService/TaskSubscription,1,tasks/,release,3",
    "/a2a.v1.A2AService/TaskSubscription,1,tasks/,reject,7"
  })
  void whoFollowsIt_isToldThatItWorks_andThenWhatItComesTo(
      String method, int field, String prefix, String verb, int state, @TempDir Path folder)
      throws Exception {
    try (StubAgent agent =
            new StubAgent(_ -> StubAgent.Reply.json(A2a.answer("1", "a-1", A2a.INVENTED)));
        LocalSidecar sidecar =
            LocalSidecar.start(
                folder,
                "grpc",
                LocalSidecar.inboundTo(agent.port()),
                "profiles:\n  none-left: { errorMax: 0 }\n"
                    + "routes:\n  - { name: all, profile: none-left }\n");
        H2Caller caller = new H2Caller(sidecar.inbound())) {
      String held = caller.post(A2a.ask("1", "ctx-1", "Why?")).get(60, TimeUnit.SECONDS).body();
      String task = A2a.JSON.readTree(held).at("/result/task/id").asString("");
      assertThat(task).startsWith("parlance-task-");
      byte[] asked = GrpcFraming.framed(new ProtoWriter().string(field, prefix + task).toBytes());

      CompletableFuture<H2Caller.Reply> followed = caller.post(method, "application/grpc", asked);
      await().atMost(PATIENCE).until(() -> sidecar.admin().sum("parlance_stream_open") == 1);
      String id = task.substring("parlance-task-".length());
      sidecar.admin().post("/review/" + id + "/" + verb, "{\"who\":\"ada\",\"undoMs\":0}");

      H2Caller.Reply ended = followed.get(60, TimeUnit.SECONDS);
      assertThat(ended.trailers()).containsEntry("grpc-status", "0");
      assertThat(ended.body().split(task, -1)).as("%s", ended.body()).hasSizeGreaterThan(2);
      assertThat(ended.body())
          .containsPattern(
              "(?s)" + STATE.formatted("\u0002") + ".*" + STATE.formatted((char) state));
      assertThat(ended.body().contains(A2a.INVENTED)).isEqualTo(verb.equals("release"));
      assertThat(agent.asked()).hasSize(1);
    }
  }
}
