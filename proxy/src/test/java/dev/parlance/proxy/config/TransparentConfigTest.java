package dev.parlance.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Listeners that connections are redirected to. */
class TransparentConfigTest {
  @Test
  void transparentInbound_needsNoAgent_andKnowsNowhereElseToGo() {
    Inbound inbound =
        Yaml.loaded("inbound: { listen: \"0.0.0.0:15006\", transparent: true }")
            .listeners()
            .inbound()
            .orElseThrow();
    assertThat(inbound.transparent()).isTrue();
    assertThat(inbound.destination(false)).isEmpty();
    assertThat(inbound.destination(true)).isEmpty();
  }

  @Test
  void inboundWithoutAgent_isRefused_unlessTransparent() {
    assertThat(Yaml.problem("inbound: { listen: \"0.0.0.0:15006\" }"))
        .contains("/inbound/agent: missing, expected text like \"127.0.0.1:8080\"");
    assertThat(
            Yaml.problem(
                "inbound: { listen: \"0.0.0.0:15006\", transparent: true,"
                    + " grpcAgent: \"127.0.0.1:9090\" }"))
        .contains("/inbound/agent: missing");
  }

  @Test
  void opaque_isRefused_whereNothingIsRedirected() {
    assertThat(Yaml.problem("outbound: { listen: \"127.0.0.1:1\", opaque: pass }"))
        .contains("/outbound/opaque: got pass, which needs transparent: true");
    assertThat(Yaml.problem("outbound: { listen: \"127.0.0.1:1\", opaquePorts: [5432] }"))
        .contains("/outbound/opaquePorts: got 1 of them, which needs transparent: true");
  }

  @Test
  void opaquePort_outsideTheRange_isRefused() {
    assertThat(
            Yaml.problem(
                "outbound: { listen: \"127.0.0.1:1\", transparent: true, opaquePorts: [0] }"))
        .contains("/outbound/opaquePorts/0: got 0, expected a whole number from 1 to 65535");
  }

  @Test
  void opaque_isReadWhereConnectionsAreRedirected() {
    Outbound outbound =
        Yaml.loaded(
                "outbound: { listen: \"127.0.0.1:1\", transparent: true, opaque: pass,"
                    + " opaquePorts: [5432, 6379, 5432] }")
            .listeners()
            .outbound()
            .orElseThrow();
    assertThat(outbound.opaque()).isEqualTo(OpaquePolicy.PASS);
    assertThat(outbound.opaquePorts()).containsExactlyInAnyOrder(5432, 6379);
  }

  @Test
  void transparent_cannotChangeWhileTheSidecarRuns() {
    SidecarConfig before = Yaml.loaded(Yaml.MINIMAL);
    SidecarConfig after = Yaml.loaded(Yaml.MINIMAL + "  transparent: true\n");
    assertThat(StartupSetting.INBOUND_LISTEN.differs(before, after)).isTrue();
  }
}
