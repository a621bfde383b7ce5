package dev.parlance.proxy.control.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.proto.v1.IdentityServiceGrpc;
import dev.parlance.proto.v1.IssueSvidRequest;
import dev.parlance.proto.v1.IssueSvidResponse;
import dev.parlance.proto.v1.MeshTrust;
import dev.parlance.proxy.config.ControlSettings;
import dev.parlance.proxy.config.RoundSettings;
import dev.parlance.service.config.HostPort;
import dev.parlance.service.identity.IdentityFiles;
import dev.parlance.service.identity.Svid;
import dev.parlance.service.testing.TestDomain;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Identities from a control plane that answers as a test wants it. */
class IssuedIdentityTest {
  private static final TestDomain MESH = new TestDomain("mesh.example");

  @TempDir Path folder = Path.of("");
  private final List<Svid> taken = new CopyOnWriteArrayList<>();
  private final List<String> refused = new CopyOnWriteArrayList<>();

  @Test
  void identityWithoutAuthorities_isRefused_andAskedForAgain() throws Exception {
    assertThat(secondAnswerIsTaken(MeshTrust.newBuilder().setTrustDomain("mesh.example").build()))
        .singleElement()
        .asString()
        .contains("authorities");
  }

  @Test
  void aFaultOfOurOwn_isSaid_andTheIdentityIsAskedForAgain() throws Exception {
    // A taker that fails stands for whatever nobody has foreseen.
    AtomicInteger takes = new AtomicInteger();
    assertThat(
            secondAnswerIsTaken(
                trust(),
                (svid, trust) -> {
                  if (takes.getAndIncrement() == 0) {
                    throw new IllegalStateException("not foreseen");
                  }
                  taken.add(svid);
                }))
        .singleElement()
        .asString()
        .contains("not foreseen");
  }

  private List<String> secondAnswerIsTaken(MeshTrust first) throws Exception {
    return secondAnswerIsTaken(first, (svid, trust) -> taken.add(svid));
  }

  /** What was refused before an identity is taken from a control plane that says this first. */
  private List<String> secondAnswerIsTaken(MeshTrust first, IdentityFiles.Taker taker)
      throws Exception {
    Plane plane = new Plane(first);
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(plane)
            .build()
            .start();
    try (IssuedIdentity identity =
        IssuedIdentity.start(
            settings(server.getPort()), Optional.empty(), "1", taker, refused::add)) {
      assertThat(identity).isNotNull();
      await().atMost(Duration.ofSeconds(60)).until(() -> !taken.isEmpty());
      assertThat(plane.asked).hasValue(2);
      return List.copyOf(refused);
    } finally {
      server.shutdownNow();
    }
  }

  private ControlSettings settings(int port) throws Exception {
    return new ControlSettings(
        new HostPort("127.0.0.1", port),
        "buyer",
        List.of(SignerKey.generate("control", KeyType.ED25519).verifier()),
        Optional.empty(),
        Optional.of(Files.writeString(folder.resolve("token"), "token")),
        Optional.empty(),
        true,
        1_000,
        List.of(),
        Optional.empty(),
        RoundSettings.DEFAULTS);
  }

  private static MeshTrust trust() throws Exception {
    return MeshTrust.newBuilder()
        .setTrustDomain("mesh.example")
        .addAuthorities(ByteString.copyFrom(MESH.root().getCertificate().getEncoded()))
        .build();
  }

  /** Issues what it is asked for; the first answer comes with another word on whom to believe. */
  private static final class Plane extends IdentityServiceGrpc.IdentityServiceImplBase {
    final AtomicInteger asked = new AtomicInteger();
    private final MeshTrust first;

    Plane(MeshTrust first) {
      this.first = first;
    }

    @Override
    public void issueSvid(IssueSvidRequest request, StreamObserver<IssueSvidResponse> out) {
      try {
        PublicKey key =
            KeyFactory.getInstance("EC")
                .generatePublic(new X509EncodedKeySpec(request.getPublicKey().toByteArray()));
        IssueSvidResponse.Builder answer =
            IssueSvidResponse.newBuilder().setTrust(asked.getAndIncrement() == 0 ? first : trust());
        for (X509Certificate one :
            MESH.svid("ns/shop/sa/buyer", leaf -> leaf.publicKey(key)).getCertificatePath()) {
          answer.addChain(ByteString.copyFrom(one.getEncoded()));
        }
        out.onNext(answer.build());
        out.onCompleted();
      } catch (Exception e) {
        out.onError(e);
      }
    }
  }
}
