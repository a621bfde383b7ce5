package dev.parlance.proxy.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.BoardPush;
import dev.parlance.proto.v1.CorePush;
import dev.parlance.proto.v1.Hello;
import dev.parlance.proto.v1.MeshTrust;
import dev.parlance.proto.v1.Question;
import dev.parlance.proto.v1.Report;
import dev.parlance.proto.v1.ReviewCall;
import dev.parlance.proto.v1.ReviewPush;
import dev.parlance.proto.v1.ReviewRecorded;
import dev.parlance.proto.v1.ReviewTaken;
import dev.parlance.proto.v1.SignedCore;
import dev.parlance.proto.v1.VerdictDirectory;
import dev.parlance.proto.v1.Welcome;
import dev.parlance.proxy.control.FakeControlPlane;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One stream whose end comes in between. */
@Tag("long")
class AttachStreamTest {
  private static final AttachStream.Timing PATIENT =
      new AttachStream.Timing(60_000, 60_000, 600_000);

  /** Has something to say whenever it hears anything. */
  private record Talking(Runnable before) implements AttachStream.Session {
    @Override
    public void trusted(MeshTrust trust) {
      before.run();
    }

    private AttachRequest answer() {
      before.run();
      return AttachRequest.newBuilder().setReport(Report.getDefaultInstance()).build();
    }

    @Override
    public void welcomed(Welcome welcome) {}

    @Override
    public void attached(Consumer<AttachRequest> out) {}

    @Override
    public AttachRequest core(CorePush push) {
      return answer();
    }

    @Override
    public AttachRequest board(BoardPush push) {
      return answer();
    }

    @Override
    public AttachRequest review(ReviewPush push) {
      return answer();
    }

    @Override
    public void verdictKeys(VerdictDirectory directory) {}

    @Override
    public void taken(ReviewTaken taken) {}

    @Override
    public void called(ReviewCall call) {}

    @Override
    public void recorded(ReviewRecorded recorded) {}

    @Override
    public void question(Question question) {}

    @Override
    public void heard() {}

    @Override
    public AttachRequest report() {
      return answer();
    }
  }

  @Test
  void whatIsToBeSaidOnAStreamThatIsBeingEnded_isNotSaid_andIsNoFault() throws Exception {
    ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    try (FakeControlPlane server = new FakeControlPlane()) {
      ManagedChannel channel =
          Grpc.newChannelBuilder("127.0.0.1:" + server.port(), InsecureChannelCredentials.create())
              .executor(thread)
              .build();
      CompletableFuture<AttachStream.End> ended = new CompletableFuture<>();
      AtomicReference<AttachStream> itself = new AtomicReference<>();
      AttachStream stream =
          new AttachStream(
              channel,
              thread,
              PATIENT,
              new Talking(() -> itself.get().finish()),
              (_, end) -> ended.complete(end));
      itself.set(stream);
      server.greet(attached -> {
        attached.welcome();
        attached.push(SignedCore.getDefaultInstance());
      });
      thread.execute(() -> stream.open(Optional.of("token"), Hello.getDefaultInstance()));
      assertThat(ended.get(60, TimeUnit.SECONDS).reason()).isEqualTo("ended");
    } finally {
      thread.shutdownNow();
    }
  }
}
