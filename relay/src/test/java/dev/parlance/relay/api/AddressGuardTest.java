package dev.parlance.relay.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressGuardTest {
  private static InetSocketAddress at(String ip, int port) throws UnknownHostException {
    byte[] bytes = Objects.requireNonNull(NetUtil.createByteArrayFromIpAddressString(ip));
    return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
  }

  private static String verdict(AddressGuard guard, String ip, int port)
      throws UnknownHostException {
    return guard.refusal(at(ip, port)).orElse("allowed");
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, loopback",
    "127.8.9.10, loopback",
    "::1, loopback",
    "::ffff:127.0.0.1, loopback",
    "64:ff9b::7f00:1, loopback",
    "2002:7f00:1::, loopback",
    "0.0.0.0, any_local",
    "0.1.2.3, any_local",
    "::, any_local",
    "169.254.169.254, link_local",
    "::ffff:169.254.169.254, link_local",
    "64:ff9b::a9fe:a9fe, link_local",
    "fe80::1, link_local",
    "224.0.0.1, multicast",
    "ff02::1, multicast",
    "255.255.255.255, multicast",
    "10.0.0.1, allowed",
    "192.168.1.1, allowed",
    "93.184.216.34, allowed",
    "2001:db8::1, allowed",
    "64:ff9b::5db8:d822, allowed"
  })
  void address_isJudgedByWhatItReallyIs(String ip, String expected) throws UnknownHostException {
    AddressGuard guard = new AddressGuard(false, Set.of(), Set.of());
    assertThat(verdict(guard, ip, 80)).isEqualTo(expected);
  }

  @Test
  void ownListeners_areRefusedOnEveryAddressOfThisMachine() throws UnknownHostException {
    InetAddress own = at("10.1.2.3", 1).getAddress();
    AddressGuard guard = new AddressGuard(true, Set.of(15001), Set.of(own));
    assertThat(verdict(guard, "127.0.0.1", 15001)).isEqualTo("own_listener");
    assertThat(verdict(guard, "::1", 15001)).isEqualTo("own_listener");
    assertThat(verdict(guard, "10.1.2.3", 15001)).isEqualTo("own_listener");
    assertThat(verdict(guard, "127.0.0.1", 15002)).isEqualTo("allowed");
    assertThat(verdict(guard, "10.1.2.4", 15001)).isEqualTo("allowed");
  }

  @Test
  void unresolvedAddress_isRefused() {
    AddressGuard guard = new AddressGuard(true, Set.of(), Set.of());
    assertThat(guard.refusal(InetSocketAddress.createUnresolved("a", 80))).contains("unresolved");
  }

  @Test
  void thisMachine_hasAddresses() throws SocketException {
    assertThat(AddressGuard.forThisMachine(true, Set.of(1)).ownAddresses()).isNotEmpty();
  }
}
