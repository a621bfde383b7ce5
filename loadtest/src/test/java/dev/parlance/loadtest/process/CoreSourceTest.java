package dev.parlance.loadtest.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.CoreNote;
import dev.parlance.ledger.record.CoreNote.CoreReading;
import dev.parlance.loadtest.load.LicenseText;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.AttachResponse;
import dev.parlance.proto.v1.AttachServiceGrpc;
import dev.parlance.proto.v1.Hello;
import dev.parlance.proto.v1.SignedCore;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CoreSourceTest {
  @TempDir Path folder;

  @Test
  void sidecarThatAttaches_getsTheSignedCore_withAllItsTermsCertified() throws Exception {
    try (CoreSource source = CoreSource.start(folder, 50)) {
      ProxyConfigs.Guard guard = source.guard();
      SignedCore pushed = attach(guard);
      VerifierKey key =
          VerifierKey.parse(Files.readString(guard.keysFile()).strip()).value().orElseThrow();
      CoreReading reading = CoreNote.read(pushed.getNote().toByteArray(), List.of(key));
      assertThat(reading).isInstanceOf(CoreReading.Good.class);
      CoreReading.Good good = (CoreReading.Good) reading;
      assertThat(good.core().domain()).isEqualTo(guard.domain());
      assertThat(good.core().agents()).contains(guard.agent(), guard.peer());
      assertThat(good.core().certified()).hasSize(50).isEqualTo(LicenseText.termKeys(50));
    }
  }

  private static SignedCore attach(ProxyConfigs.Guard guard) throws Exception {
    CompletableFuture<SignedCore> pushed = new CompletableFuture<>();
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", guard.port()).usePlaintext().build();
    try {
      Metadata headers = new Metadata();
      headers.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
          "Bearer " + Files.readString(guard.tokenFile()).strip());
      StreamObserver<AttachRequest> requests =
          AttachServiceGrpc.newStub(channel)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
              .attach(
                  new StreamObserver<AttachResponse>() {
                    @Override
                    public void onNext(AttachResponse response) {
                      if (response.hasCore()) {
                        pushed.complete(response.getCore().getCore());
                      }
                    }

                    @Override
                    public void onError(Throwable t) {
                      pushed.completeExceptionally(t);
                    }

                    @Override
                    public void onCompleted() {
                      pushed.completeExceptionally(new IllegalStateException("ended"));
                    }
                  });
      requests.onNext(
          AttachRequest.newBuilder()
              .setHello(
                  Hello.newBuilder().setAgent(guard.agent()).setNode("test").setVersion("test"))
              .build());
      return pushed.get(30, TimeUnit.SECONDS);
    } finally {
      channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
    }
  }
}
