package dev.parlance.inject.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The text; what it does to packets is tested in it/. */
class NftScriptTest {
  private static final InetAddress V4 = InetAddress.ofLiteral("10.96.0.10");
  private static final InetAddress V6 = InetAddress.ofLiteral("fd00::a");

  @Test
  void script_isReplacedWhole_andEndsEveryListOfWaysWithTheRest() {
    assertThat(NftScript.of(rules(ports(3, 1), ports(5432), users(1000), List.of(V4, V6))))
        .isEqualTo(
            """
            add table inet parlance
            delete table inet parlance
            table inet parlance {
              chain inbound {
                type nat hook prerouting priority -100; policy accept;
                iifname "lo" return
                meta l4proto != tcp return
                tcp dport { 1, 3, 15020 } return
                meta l4proto tcp redirect to :15006
              }
              chain outbound {
                type nat hook output priority -100; policy accept;
                meta l4proto != tcp return
                oifname "lo" return
                meta skuid { 1000, 2717 } return
                ip daddr { 10.96.0.10 } tcp dport 53 return
                ip6 daddr { fd00:0:0:0:0:0:0:a } tcp dport 53 return
                tcp dport { 5432 } return
                meta l4proto tcp redirect to :15001
              }
              chain inbound_guard {
                type filter hook input priority 0; policy accept;
                ct state invalid drop
                iifname "lo" accept
                ct direction reply accept
                meta l4proto { icmp, ipv6-icmp } accept
                tcp dport 15006 accept
                meta l4proto { tcp, udp } th dport { 1, 3, 15020 } accept
                meta l4proto tcp counter reject with tcp reset
                counter reject with icmpx type admin-prohibited
              }
              chain outbound_guard {
                type filter hook output priority 0; policy accept;
                ct state invalid drop
                oifname "lo" accept
                ct direction reply accept
                meta skuid { 1000, 2717 } accept
                ip daddr { 10.96.0.10 } meta l4proto { tcp, udp } th dport 53 accept
                ip6 daddr { fd00:0:0:0:0:0:0:a } meta l4proto { tcp, udp } th dport 53 accept
                meta l4proto { tcp, udp } th dport { 5432 } accept
                meta l4proto tcp ct status dnat accept
                meta l4proto tcp meta skuid != 4294967295 counter reject with tcp reset
                meta skuid != 4294967295 counter reject with icmpx type admin-prohibited
              }
            }
            """);
  }

  @Test
  void nothingExcluded_leavesOnlyTheHealthPortAndTheSidecarItself() {
    String text = NftScript.of(rules(ports(), ports(), users(), List.of()));
    assertThat(text)
        .contains("tcp dport { 15020 } return")
        .contains("meta skuid { 2717 } return")
        .doesNotContain("dport 53");
    // Names cannot be looked up at all then, which is what no name server means.
    assertThat(Pattern.compile("\\{ +\\}").matcher(text).find()).isFalse();
  }

  @Test
  void impossibleRules_areRefused() {
    assertThatThrownBy(() -> rules(ports(0), ports(), users(), List.of()))
        .hasMessage("excluded inbound port: expected 1 to 65535, got 0");
    assertThatThrownBy(() -> rules(ports(), ports(65_536), users(), List.of()))
        .hasMessage("excluded outbound port: expected 1 to 65535, got 65536");
    assertThatThrownBy(() -> rules(ports(), ports(), users(0xffff_ffffL), List.of()))
        .hasMessage("user: expected 0 to 4294967294, got 4294967295");
    assertThatThrownBy(() -> rules(ports(15_006), ports(), users(), List.of()))
        .hasMessage("the inbound port 15006 is excluded");
    assertThatThrownBy(() -> new InterceptRules(1, 1, 2717, ports(), ports(), users(), List.of()))
        .hasMessage("expected two ports, got 1 for both");
  }

  @Test
  void resolvConf_givesItsNameServers_andNothingElse(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("resolv.conf");
    Files.writeString(
        file,
        """
        # nameserver 1.1.1.1
        search agents.svc.cluster.local svc.cluster.local
        nameserver 10.96.0.10
        nameserver	fe80::1%eth0
        nameserver localhost
        nameserver
        options ndots:5
        """);
    assertThat(ResolvConf.nameServers(file)).containsExactly(V4, InetAddress.ofLiteral("fe80::1"));
  }

  private static InterceptRules rules(
      SortedSet<Integer> inbound,
      SortedSet<Integer> outbound,
      SortedSet<Long> users,
      List<InetAddress> servers) {
    return new InterceptRules(15_006, 15_001, 2717, inbound, outbound, users, servers);
  }

  private static SortedSet<Integer> ports(Integer... ports) {
    return new TreeSet<>(List.of(ports));
  }

  private static SortedSet<Long> users(long... users) {
    return new TreeSet<>(LongStream.of(users).boxed().toList());
  }
}
