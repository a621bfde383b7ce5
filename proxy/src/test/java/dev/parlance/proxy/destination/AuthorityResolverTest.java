package dev.parlance.proxy.destination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.relay.api.NameLookup;
import dev.parlance.relay.api.NameLookup.Found;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whose rules hold for a redirected request, whatever it says of itself. */
class AuthorityResolverTest {
  private static final InetAddress BANK = InetAddress.ofLiteral("10.0.0.1");
  private static final InetAddress OTHER = InetAddress.ofLiteral("10.0.0.2");
  private static final Map<String, Found> DNS =
      Map.of(
          "bank.example", new Found.Addresses(Set.of(BANK)),
          "alias.example", new Found.Addresses(Set.of(BANK, OTHER)),
          "lax.example", new Found.Addresses(Set.of(OTHER)),
          "broken.example", new Found.Failed("no answer"));

  private final EventLoop loop = new DefaultEventLoop();

  @AfterEach
  void stop() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @Test
  void nameWithThisAddress_counts() {
    assertThat(outcome("bank.example", List.of("bank.example")))
        .isEqualTo(new AuthorityResolver.Outcome.Known("bank.example", List.of()));
  }

  @Test
  void nameOfAnotherAddress_isNone_andTheRuledNamesOfThisOneCount() {
    assertThat(outcome("lax.example", List.of("lax.example", "bank.example", "alias.example")))
        .isEqualTo(
            new AuthorityResolver.Outcome.Known(
                "10.0.0.1", List.of("bank.example", "alias.example")));
  }

  @Test
  void nameThatDoesNotExist_andBareAddresses_gainNothing() {
    for (String claimed : List.of("nowhere.example", "10.0.0.1", "10.0.0.2", "::ffff:10.0.0.2")) {
      assertThat(outcome(claimed, List.of("bank.example")))
          .as(claimed)
          .isEqualTo(new AuthorityResolver.Outcome.Known("10.0.0.1", List.of("bank.example")));
    }
  }

  @Test
  void nameNobodyAnswersFor_isUnknown_andSoIsOneOfARule() {
    assertThat(outcome("broken.example", List.of("bank.example")))
        .isEqualTo(new AuthorityResolver.Outcome.Unknown("broken.example"));
    assertThat(outcome("lax.example", List.of("broken.example", "bank.example")))
        .isEqualTo(new AuthorityResolver.Outcome.Unknown("broken.example"));
    // A name that counts needs no other.
    assertThat(outcome("bank.example", List.of("broken.example")))
        .isEqualTo(new AuthorityResolver.Outcome.Known("bank.example", List.of()));
  }

  @Test
  void answersThatComeLater_inAnyOrder_areAllWaitedFor() {
    Deque<Runnable> pending = new ArrayDeque<>();
    List<AuthorityResolver.Outcome> outcomes = new ArrayList<>();
    NameLookup slow = (_, name, then) -> pending.push(() -> then.accept(found(name)));
    new AuthorityResolver(slow, loop, BANK, List.of("bank.example", "alias.example"), outcomes::add)
        .of("lax.example");
    while (!pending.isEmpty()) {
      assertThat(outcomes).isEmpty();
      pending.pop().run();
    }
    assertThat(outcomes)
        .containsExactly(
            new AuthorityResolver.Outcome.Known(
                "10.0.0.1", List.of("alias.example", "bank.example")));
  }

  private AuthorityResolver.Outcome outcome(String claimed, List<String> ruled) {
    List<AuthorityResolver.Outcome> outcomes = new ArrayList<>();
    NameLookup names = (_, name, then) -> then.accept(found(name));
    new AuthorityResolver(names, loop, BANK, ruled, outcomes::add).of(claimed);
    assertThat(outcomes).hasSize(1);
    return outcomes.getFirst();
  }

  private static Found found(String name) {
    return DNS.getOrDefault(name, new Found.None());
  }
}
