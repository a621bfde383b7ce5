package dev.parlance.proxy.relay;

import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Which servers names are asked of: those of the machine's {@code resolv.conf}. Where it names
 * none, this machine is asked, as resolv.conf(5) has it; Netty would ask public servers far away,
 * and names of the inside would leave it.
 */
final class NameServers {
  private static final int DNS_PORT = 53;

  private NameServers() {}

  /** Those of this machine. */
  static DnsServerAddressStreamProvider ofMachine() {
    return of(Path.of("/etc/resolv.conf"));
  }

  static DnsServerAddressStreamProvider of(Path resolvConf) {
    return namesAny(resolvConf)
        ? DnsServerAddressStreamProviders.platformDefault()
        : new SingletonDnsServerAddressStreamProvider(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), DNS_PORT));
  }

  private static boolean namesAny(Path resolvConf) {
    try (Stream<String> lines = Files.lines(resolvConf)) {
      return lines.anyMatch(line -> line.strip().matches("nameserver\\s+\\S.*"));
    } catch (IOException e) {
      return false;
    }
  }
}
