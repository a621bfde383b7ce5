package dev.parlance.relay.dns;

import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which servers names are asked of: those of the machine's {@code resolv.conf}. Where it names
 * none, this machine is asked, as resolv.conf(5) has it; Netty would ask public servers far away,
 * and names of the inside would leave it.
 */
public final class NameServers {
  private static final int DNS_PORT = 53;

  private NameServers() {}

  /** Those of this machine. */
  public static DnsServerAddressStreamProvider ofMachine() {
    return of(Path.of("/etc/resolv.conf"));
  }

  /**
   * Those that the machine names now, whatever it says later: in a pod the file may be the agent's
   * to write, and who answers decides whose a name is.
   */
  static DnsServerAddressStreamProvider fixed() {
    return fixed(Path.of("/etc/resolv.conf"));
  }

  static DnsServerAddressStreamProvider fixed(Path resolvConf) {
    List<InetSocketAddress> servers = servers(resolvConf);
    return servers.isEmpty() ? ofNobody() : new SequentialDnsServerAddressStreamProvider(servers);
  }

  static DnsServerAddressStreamProvider of(Path resolvConf) {
    return servers(resolvConf).isEmpty()
        ? ofNobody()
        : DnsServerAddressStreamProviders.platformDefault();
  }

  private static DnsServerAddressStreamProvider ofNobody() {
    return new SingletonDnsServerAddressStreamProvider(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), DNS_PORT));
  }

  private static List<InetSocketAddress> servers(Path resolvConf) {
    try (Stream<String> lines = Files.lines(resolvConf)) {
      return lines
          .map(line -> line.strip().split("\\s+", -1))
          .filter(words -> words.length > 1 && words[0].equals("nameserver"))
          .map(words -> words[1])
          .filter(a -> NetUtil.isValidIpV4Address(a) || NetUtil.isValidIpV6Address(a))
          .map(address -> new InetSocketAddress(address, DNS_PORT))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
