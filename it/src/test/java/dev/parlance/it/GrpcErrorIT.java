package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The status of a gRPC call with details of any size, as a caller with an ordinary limit sees it.
 */
class GrpcErrorIT {
  private static final String SEND = "/lf.a2a.v1.A2AService/SendMessage";

  /** A message m that says "Why?", with its prefix. */
  private static final byte[] ASK =
      HexFormat.of().parseHex("000000000d" + "120b" + "0a016d2a060a045768793f");

  @ParameterizedTest
  @CsvSource({
    "observe,100",
    "enforce,100",
    "observe,7000",
    "enforce,7000",
    "observe,90000",
    "enforce,90000"
  })
  void W21_statusOfACall_isNeverOneThatIsTriedAgain(
      String mode, int detailBytes, @TempDir Path folder) throws Exception {
    String details = Base64.getEncoder().withoutPadding().encodeToString(new byte[detailBytes]);
    try (H2Agent agent =
            new H2Agent(
                0,
                "",
                Optional.of(
                    new DefaultHttp2Headers()
                        .set("grpc-status", "3")
                        .set("grpc-message", "bad")
                        .set("grpc-status-details-bin", details)));
        LocalSidecar sidecar =
            LocalSidecar.start(
                folder, mode, "mode: " + mode + "\n", LocalSidecar.inboundTo(agent.port()));
        H2Caller caller = new H2Caller(sidecar.inbound())) {

      Map<String, String> trailers =
          caller.post(SEND, "application/grpc", ASK).get(20, TimeUnit.SECONDS).trailers();

      assertThat(trailers.get("grpc-status"))
          .isIn(detailBytes < 60_000 ? List.of("3") : List.of("8", "13"));
      assertThat(trailers.getOrDefault("grpc-status-details-bin", ""))
          .hasSizeLessThan(detailBytes == 100 ? 200 : 1000);
      assertThat(agent.asked()).hasSize(1);
    }
  }
}
