package dev.parlance.relay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.server.ConnectionCounts.Admission;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionCountsTest {
  private static ConnectionCounts counts(int most, int ofAddress) {
    return new ConnectionCounts(
        new HttpMessageLimits(1024, 2048, 1000, 100, most).withConnectionsPerAddress(ofAddress));
  }

  private static InetAddress at(String address) {
    return InetAddress.ofLiteral(address);
  }

  private static List<Admission> come(ConnectionCounts counts, String address, int times) {
    return Stream.generate(() -> counts.came(at(address))).limit(times).toList();
  }

  @Test
  void addressThatHasItsShare_isToldSo_whileOthersAreTaken() {
    ConnectionCounts counts = counts(5, 2);
    assertThat(come(counts, "192.0.2.1", 3))
        .containsExactly(Admission.TAKEN, Admission.TAKEN, Admission.ADDRESS_FULL);
    assertThat(come(counts, "192.0.2.2", 2)).containsOnly(Admission.TAKEN);
    counts.left(at("192.0.2.1"), Admission.ADDRESS_FULL);
    assertThat(come(counts, "192.0.2.1", 1)).containsExactly(Admission.ADDRESS_FULL);
    counts.left(at("192.0.2.1"), Admission.TAKEN);
    assertThat(come(counts, "192.0.2.1", 1)).containsExactly(Admission.TAKEN);
  }

  @Test
  void whoIsRefused_takesNoRoomFromOthers() {
    ConnectionCounts counts = counts(4, 2);
    assertThat(come(counts, "192.0.2.1", 1000)).contains(Admission.ADDRESS_FULL_UNTOLD);
    assertThat(come(counts, "192.0.2.2", 2)).containsOnly(Admission.TAKEN);
    assertThat(come(counts, "192.0.2.3", 1)).containsExactly(Admission.FULL_UNTOLD);
    assertThat(come(counts, "192.0.2.3", 1000)).containsOnly(Admission.FULL_UNTOLD);
  }

  @Test
  void onlySoManyAreTold_andMoreWhenTheyAreGone() {
    ConnectionCounts counts = counts(1000, 1);
    List<Admission> all = come(counts, "192.0.2.1", 1 + ConnectionCounts.POLITE_REFUSALS + 1);
    assertThat(all.subList(1, all.size() - 1)).containsOnly(Admission.ADDRESS_FULL);
    assertThat(all.getLast()).isEqualTo(Admission.ADDRESS_FULL_UNTOLD);
    counts.left(at("192.0.2.1"), all.getLast());
    assertThat(come(counts, "192.0.2.1", 1)).containsExactly(Admission.ADDRESS_FULL_UNTOLD);
    counts.left(at("192.0.2.1"), Admission.ADDRESS_FULL);
    assertThat(come(counts, "192.0.2.1", 1)).containsExactly(Admission.ADDRESS_FULL);
  }

  @ParameterizedTest
  @CsvSource({
    "2001:db8:0:1::1,2001:db8:0:1:ffff::9,ADDRESS_FULL",
    "2001:db8:0:1::1,2001:db8:0:2::1,TAKEN",
    "::1,::2,TAKEN",
    "192.0.2.1,::ffff:192.0.2.1,ADDRESS_FULL",
    "192.0.2.1,192.0.2.2,TAKEN",
  })
  void addressesOfOneNetwork_countAsOne(String one, String other, Admission expected) {
    ConnectionCounts counts = counts(10, 1);
    counts.came(at(one));
    assertThat(counts.came(at(other))).isEqualTo(expected);
  }

  @Test
  void listenerThatMayOpenFewer_leavesNobodyMoreThanHalf() {
    HttpMessageLimits limits = new HttpMessageLimits(1024, 2048, 1000, 100, 4096);
    assertThat(limits.withConnectionsPerAddress(2048).withConnections(100))
        .extracting(HttpMessageLimits::connectionsPerAddress)
        .isEqualTo(50);
    assertThat(limits.withConnectionsPerAddress(10).withConnections(100))
        .extracting(HttpMessageLimits::connectionsPerAddress)
        .isEqualTo(10);
    assertThat(limits.withConnectionsPerAddress(4096).withConnections(100))
        .as("no share: one address may have all")
        .extracting(HttpMessageLimits::connectionsPerAddress)
        .isEqualTo(100);
  }
}
