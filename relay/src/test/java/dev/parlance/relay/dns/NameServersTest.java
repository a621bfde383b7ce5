package dev.parlance.relay.dns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.relay.dns.DnsNames.NameServers;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names are never asked of servers that nobody configured. */
class NameServersTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"", "search example.test\n", "# nameserver 10.0.0.10\n", "nameserver\n"})
  void withoutConfiguredServer_thisMachineIsAsked(String text) throws Exception {
    Path file = Files.writeString(folder.resolve("resolv.conf"), text);
    assertAsksThisMachine(file);
  }

  @Test
  void withoutTheFile_thisMachineIsAsked() {
    assertAsksThisMachine(folder.resolve("nothing"));
  }

  private static void assertAsksThisMachine(Path file) {
    assertThat(NameServers.of(file).nameServerAddressStream("example.test").next())
        .isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 53));
  }

  @Test
  void serversThatCount_areThoseOfTheStart_whateverTheFileSaysLater() throws Exception {
    Path file = Files.writeString(folder.resolve("resolv.conf"), "nameserver 10.0.0.10\n");
    var servers = NameServers.fixed(file);
    Files.writeString(file, "nameserver 127.0.0.1\n");
    assertThat(servers.nameServerAddressStream("bob.test").next())
        .isEqualTo(new InetSocketAddress("10.0.0.10", 53));
    assertThat(servers.nameServerAddressStream("bob.test").size()).isEqualTo(1);
  }

  @Test
  void configuredServers_areThePlatforms() throws Exception {
    Path file = Files.writeString(folder.resolve("resolv.conf"), "nameserver 10.0.0.10\n");
    assertThat(NameServers.of(file)).isSameAs(DnsServerAddressStreamProviders.platformDefault());
  }
}
