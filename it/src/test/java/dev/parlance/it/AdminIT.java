package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.testing.LeakCheck;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a kubelet and a scraper see, who keep their connections. */
@ExtendWith(LeakCheck.class)
class AdminIT {
  @TempDir Path folder = Path.of("");

  @Test
  @Timeout(60)
  void probesAndScrapesOnOneConnection_areAllAnsweredAtOnce() throws Exception {
    try (StubAgent agent = new StubAgent(asked -> StubAgent.Reply.json("{}"));
        LocalSidecar sidecar =
            LocalSidecar.start(folder, "node", LocalSidecar.inboundTo(agent.port()));
        RawHttp client = new RawHttp(sidecar.adminPort())) {
      for (int i = 0; i < 20; i++) {
        for (String path : new String[] {"/readyz", "/metrics", "/livez", "/livez"}) {
          client.send(
              "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n".formatted(path, sidecar.adminPort()));
          assertThat(client.reply().status()).isEqualTo(200);
        }
      }
    }
  }
}
