package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Keys;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.relay.api.InterceptionPolicy.Action;
import dev.parlance.relay.api.InterceptionPolicy.Form;
import dev.parlance.relay.api.NameLookup;
import dev.parlance.relay.net.EventLoops;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedirectRulesTest {
  private static final InetAddress OWN = InetAddress.ofLiteral("192.0.2.7");

  @TempDir Path folder;

  /** {@code api.example} has the address 192.0.2.7, and nothing else has one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # settings                                          | form  | names       | address   | what
          mode: enforce                                       | TLS   | api.example | 192.0.2.7 | tls_refused
          mode: observe                                       | TLS   | api.example | 192.0.2.7 | tls
          mode: observe                                       | TLS   |             | 192.0.2.9 | tls
          mode: observe                                       | OTHER |             | 192.0.2.9 | opaque_refused
          mode: enforce, tunnels: ["api.example:443"]         | TLS   | api.example | 192.0.2.7 | tls
          mode: enforce, tunnels: ["api.example:443"]         | TLS   | api.example | 192.0.2.9 | tls_refused
          mode: enforce, tunnels: ["api.example:443"]         | TLS   | other.test  | 192.0.2.7 | tls_refused
          mode: enforce, tunnels: ["api.example:443"]         | TLS   |             | 192.0.2.7 | tls_refused
          mode: enforce, tunnels: ["api.example:444"]         | TLS   | api.example | 192.0.2.7 | tls_refused
          mode: enforce, tunnels: ["192.0.2.7"]               | TLS   |             | 192.0.2.7 | tls
          mode: enforce, tunnels: ["*"], allow: [a.test]      | TLS   | api.example | 192.0.2.7 | tls_refused
          mode: observe, tunnels: []                          | TLS   | api.example | 192.0.2.7 | tls_refused
          mode: enforce, opaque: pass                         | TLS   | api.example | 192.0.2.7 | tls_refused
          mode: enforce, opaque: pass                         | OTHER |             | 192.0.2.9 | not_http
          mode: enforce, opaque: pass, allow: [a.test]        | OTHER |             | 192.0.2.9 | destination_denied
          mode: enforce, opaque: pass, tunnels: ["*"]         | TLS   |             | 192.0.2.9 | tls
          """)
  void whatBecomesOfAConnectionThatDoesNotBeginLikeHttp(
      String settings, Form form, String names, String address, String what) throws IOException {
    int comma = settings.indexOf(',');
    String outbound = comma < 0 ? "" : settings.substring(comma);
    Path file = folder.resolve("sidecar.yaml");
    Files.writeString(
        file,
        "version: 1\n"
            + (comma < 0 ? settings : settings.substring(0, comma))
            + "\noutbound: { listen: '127.0.0.1:0', transparent: true"
            + outbound
            + " }\n");
    SidecarConfig config = ConfigLoader.load(file).loaded().orElseThrow();
    NameLookup lookup =
        (_, name, then) ->
            then.accept(
                name.equals("api.example")
                    ? new NameLookup.Found.Addresses(Set.of(OWN))
                    : new NameLookup.Found.None());
    List<Action> actions = new ArrayList<>();
    try (EventLoops loops = EventLoops.start(1)) {
      new RedirectRules(Direction.OUTBOUND, () -> config, lookup, _ -> false)
          .unreadable(
              loops.next(),
              new InetSocketAddress(InetAddress.ofLiteral(address), 443),
              form,
              Optional.ofNullable(names),
              actions::add);
    }
    assertThat(actions).hasSize(1);
    assertThat(
            switch (actions.getFirst()) {
              case Action.Intercept() -> "read";
              case Action.PassThrough(String reason) -> reason;
              case Action.Refuse(String code, String _) -> code;
            })
        .isEqualTo(what);
  }

  @Test
  void underStrictPacts_tlsGoesOnUnreadToHostsThatTheyNameAlone() throws IOException {
    Path file = folder.resolve("strict.yaml");
    Files.writeString(
        file,
        """
        version: 1
        mode: enforce
        outbound:
          listen: '127.0.0.1:0'
          transparent: true
          tunnels: ["api.example", "192.0.2.9"]
        control: { target: "127.0.0.1:1", agent: alice, tokenFile: token, keys: ["%s"] }
        pacts: { actions: strict }
        """
            .formatted(Keys.ONE));
    SidecarConfig config = ConfigLoader.load(file).loaded().orElseThrow();
    assertThat(unread(config, Optional.of("api.example"), OWN, Set.of())).isEqualTo("tls");
    Set<String> against = Set.of("api.example");
    assertThat(unread(config, Optional.of("api.example"), OWN, against))
        .isEqualTo("tunnel_outside_pact");
    InetAddress named = InetAddress.ofLiteral("192.0.2.9");
    assertThat(unread(config, Optional.empty(), named, against)).isEqualTo("tls");
    assertThat(unread(config, Optional.empty(), named, Set.of("192.0.2.9")))
        .isEqualTo("tunnel_outside_pact");
  }

  private static String unread(
      SidecarConfig config, Optional<String> name, InetAddress to, Set<String> againstPact)
      throws IOException {
    List<Action> actions = new ArrayList<>();
    NameLookup lookup = (_, _, then) -> then.accept(new NameLookup.Found.Addresses(Set.of(OWN)));
    try (EventLoops loops = EventLoops.start(1)) {
      new RedirectRules(Direction.OUTBOUND, () -> config, lookup, againstPact::contains)
          .unreadable(loops.next(), new InetSocketAddress(to, 443), Form.TLS, name, actions::add);
    }
    return switch (actions.getFirst()) {
      case Action.Intercept() -> "read";
      case Action.PassThrough(String reason) -> reason;
      case Action.Refuse(String code, String _) -> code;
    };
  }
}
