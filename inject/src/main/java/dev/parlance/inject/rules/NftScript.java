package dev.parlance.inject.rules;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Rules as a script for {@code nft -f -}. One table of family inet holds them for IPv4 and IPv6; it
 * is replaced whole in one transaction, so that applying twice is applying once and there is no
 * moment without rules.
 *
 * <pre>
 *   inbound         what comes over a card: TCP to the inbound port
 *   outbound        what goes out over a card: TCP to the outbound port, but for the sidecar's own
 *   inbound_guard   whatever of it is not TCP there after that is rejected
 *   outbound_guard  the same for what processes send: QUIC and all else that nobody could read
 * </pre>
 *
 * <p>The ways that are let by are listed and everything else is redirected or rejected, never the
 * other way round. A rule on {@code skuid} holds for packets of a process's socket only: answers of
 * the kernel itself (ICMP errors, neighbour discovery, resets) have none and pass the guard.
 */
public final class NftScript {
  /** Name of the table. */
  public static final String TABLE = "inet parlance";

  /** No process has this user; comparing with it asks whether a packet has a socket at all. */
  private static final long NOBODY = InterceptRules.MAX_UID + 1;

  /**
   * Packets that connection tracking does not take for part of their connection (out of its window,
   * say) are not translated either: let by, one of the sidecar's would come from an address that
   * the agent never spoke to, whose kernel would answer with a reset that ends the connection.
   * Dropped, they are sent again.
   */
  private static final String INVALID = "ct state invalid drop";

  private NftScript() {}

  /** The script that takes the rules away; it also succeeds where there are none. */
  public static String removal() {
    return "add table " + TABLE + "\ndelete table " + TABLE + "\n";
  }

  /** The script that puts exactly these rules in the place of whatever was there. */
  public static String of(InterceptRules rules) {
    Set<Long> users = new TreeSet<>(rules.excludeUids());
    users.add(rules.uid());
    String ours = "meta skuid " + set(users);
    StringBuilder text = new StringBuilder(removal());
    text.append("table ").append(TABLE).append(" {\n");
    chain(
        text,
        "inbound",
        "type nat hook prerouting priority -100",
        List.of(
            "iifname \"lo\" return",
            "meta l4proto != tcp return",
            "tcp dport " + set(rules.excludeInboundPorts()) + " return",
            "meta l4proto tcp redirect to :" + rules.inboundPort()));
    var outbound = new ArrayList<String>();
    outbound.add("meta l4proto != tcp return");
    outbound.add("oifname \"lo\" return");
    outbound.add(ours + " return");
    nameServers(rules).forEach(servers -> outbound.add(servers + " tcp dport 53 return"));
    if (!rules.excludeOutboundPorts().isEmpty()) {
      outbound.add("tcp dport " + set(rules.excludeOutboundPorts()) + " return");
    }
    outbound.add("meta l4proto tcp redirect to :" + rules.outboundPort());
    chain(text, "outbound", "type nat hook output priority -100", outbound);
    chain(
        text,
        "inbound_guard",
        "type filter hook input priority 0",
        List.of(
            INVALID,
            "iifname \"lo\" accept",
            "ct direction reply accept",
            "meta l4proto { icmp, ipv6-icmp } accept",
            "tcp dport " + rules.inboundPort() + " accept",
            "meta l4proto { tcp, udp } th dport " + set(rules.excludeInboundPorts()) + " accept",
            "meta l4proto tcp counter reject with tcp reset",
            "counter reject with icmpx type admin-prohibited"));
    var guard = new ArrayList<String>();
    guard.add(INVALID);
    guard.add("oifname \"lo\" accept");
    guard.add("ct direction reply accept");
    guard.add(ours + " accept");
    nameServers(rules)
        .forEach(servers -> guard.add(servers + " meta l4proto { tcp, udp } th dport 53 accept"));
    if (!rules.excludeOutboundPorts().isEmpty()) {
      guard.add(
          "meta l4proto { tcp, udp } th dport " + set(rules.excludeOutboundPorts()) + " accept");
    }
    guard.add("meta l4proto tcp ct status dnat accept");
    String somebodys = "meta skuid != " + NOBODY;
    guard.add("meta l4proto tcp " + somebodys + " counter reject with tcp reset");
    guard.add(somebodys + " counter reject with icmpx type admin-prohibited");
    chain(text, "outbound_guard", "type filter hook output priority 0", guard);
    return text.append("}\n").toString();
  }

  private static void chain(StringBuilder text, String name, String hook, List<String> rules) {
    text.append("  chain ").append(name).append(" {\n");
    text.append("    ").append(hook).append("; policy accept;\n");
    rules.forEach(rule -> text.append("    ").append(rule).append('\n'));
    text.append("  }\n");
  }

  /** Matches for the name servers, one for each family that has any. */
  private static List<String> nameServers(InterceptRules rules) {
    Predicate<InetAddress> isV4 = Inet4Address.class::isInstance;
    List<InetAddress> v4 = rules.nameServers().stream().filter(isV4).toList();
    List<InetAddress> v6 = rules.nameServers().stream().filter(isV4.negate()).toList();
    var found = new ArrayList<String>();
    if (!v4.isEmpty()) {
      found.add("ip daddr " + set(v4.stream().map(InetAddress::getHostAddress).toList()));
    }
    if (!v6.isEmpty()) {
      found.add("ip6 daddr " + set(v6.stream().map(NftScript::withoutScope).toList()));
    }
    return found;
  }

  private static String withoutScope(InetAddress address) {
    String text = address.getHostAddress();
    int scope = text.indexOf('%');
    return scope < 0 ? text : text.substring(0, scope);
  }

  private static String set(Collection<?> values) {
    return values.stream().map(Object::toString).collect(Collectors.joining(", ", "{ ", " }"));
  }
}
