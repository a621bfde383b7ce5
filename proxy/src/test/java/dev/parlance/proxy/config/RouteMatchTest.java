package dev.parlance.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.config.Listen;
import dev.parlance.service.config.Loopback;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteMatchTest {
  @ParameterizedTest
  @CsvSource({
    "*, anything:1, true",
    "*, '', true",
    "*.example, a.example:80, true",
    "*.example, A.B.EXAMPLE., true",
    "*.example, example, false",
    "*.example, a.example.evil, false",
    "*.example:443, a.example:443, true",
    "*.example:443, a.example, false",
    "a.example:80, a.example, true",
    "a.example:8*, a.example:8080, true",
    "*:443, a.example:80, false",
    "'[::1]', '[::1]:80', true",
    "'[::1]:8080', '[::1]:80', false",
    "a*c, abbc, true",
    "a*c, abbd, false",
    "*.example, 'a.example@evil:80', false",
  })
  void hostPattern_matches(String pattern, String authority, boolean expected) {
    assertThat(HostPattern.parse(pattern).orElseThrow().matchesAuthority(authority, 80))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":80", "a:", "a:b", "a b", "a/b", "user@host", "a:123456", "a:80:90"})
  void hostPattern_refusesWhatIsNone(String pattern) {
    assertThat(HostPattern.parse(pattern)).isEmpty();
  }

  @Test
  void hostPattern_withManyStars_takesNoLongTime() {
    HostPattern hostile = HostPattern.parse("*a".repeat(100) + "b").orElseThrow();
    String host = "a".repeat(10_000);
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(60), () -> assertThat(hostile.matches(host, 80)).isFalse());
  }

  @ParameterizedTest
  @CsvSource({
    "/a2a, /a2a, true",
    "/a2a, /a2a/x, true",
    "/a2a, /a2a?x=/y, true",
    "/a2a, /a2ab, false",
    "/a2a, /A2A, false",
    "/a2a, /x/a2a, false",
    "/a2a/, /a2a, false",
    "/a2a, /%612a, true",
    "/a2a, //a2a, true",
    "/a2a, /x/../a2a, true",
    "/a2a, /x/%2e%2E/a2a, true",
    "/a2a, /./a2a, true",
    "/a2a, /a2a/../b, false",
    "/a2a, /a2a%2Fx, false",
    "/, /../.., true",
    "/, '', true",
    "/, *, true",
    "/a, /a%, false",
  })
  void pathPrefix_endsAtASegment_andSeesThroughEscapes(
      String prefix, String path, boolean expected) {
    assertThat(RoutePath.startsWith(RoutePath.normalise(path), RoutePath.normalise(prefix)))
        .isEqualTo(expected);
  }

  @Test
  void firstMatchingRoute_wins() {
    SidecarConfig config =
        Yaml.loaded(
            Yaml.MINIMAL
                + """
                routes:
                  - { name: first, match: { pathPrefix: /a } }
                  - { name: second, match: { direction: inbound, pathPrefix: /a/b } }
                  - { name: third, match: { host: "x.example" } }
                """);
    assertThat(config.route(Direction.INBOUND, "h", "/a/b", Optional.empty()).name())
        .isEqualTo("first");
    assertThat(config.route(Direction.OUTBOUND, "x.example", "/z", Optional.empty()).name())
        .isEqualTo("third");
    assertThat(config.route(Direction.OUTBOUND, "y.example", "/z", Optional.empty()).name())
        .isEqualTo("default");
  }

  private static Outbound outbound(List<HostPattern> allow) {
    return new Outbound(
        new Listen("127.0.0.1", 0),
        allow,
        false,
        OriginProtocol.AUTO,
        false,
        OpaquePolicy.REFUSE,
        List.of(),
        Set.of(),
        TlsMode.OFF);
  }

  @Test
  void outbound_allowsOnlyWhatAPatternNames() {
    Outbound outbound = outbound(List.of(HostPattern.parse("*.example:443").orElseThrow()));
    assertThat(outbound.allows("a.example", 443)).isTrue();
    assertThat(outbound.allows("a.example", 80)).isFalse();
    assertThat(outbound(List.of()).allows("a", 1)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, true",
    "127.9.9.9, true",
    "localhost, true",
    "::1, true",
    "0.0.0.0, false",
    "127.0.0.1.evil.example, false",
    "127.1, false",
    "10.0.0.1, false",
    "127.0.0.256, false"
  })
  void loopback_isToldByTheText(String host, boolean expected) {
    assertThat(Loopback.isLoopback(host)).isEqualTo(expected);
  }
}
