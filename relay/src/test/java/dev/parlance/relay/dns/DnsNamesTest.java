package dev.parlance.relay.dns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.relay.api.NameLookup;
import dev.parlance.relay.net.EventLoops;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.resolver.InetSocketAddressResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is remembered of names, on a clock of its own. */
class DnsNamesTest {
  private static final InetAddress ONE = InetAddress.ofLiteral("10.0.0.1");
  private static final InetAddress TWO = InetAddress.ofLiteral("10.0.0.2");

  private final EventLoops loops = EventLoops.start(1);
  private final AtomicLong nowNs = new AtomicLong(1);
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger askedForOne = new AtomicInteger();
  private final AtomicReference<List<InetAddress>> answer = new AtomicReference<>(List.of(ONE));
  private final DnsNames names = new DnsNames(new Answers(), nowNs::get);

  @AfterEach
  void stop() {
    names.close();
    loops.close();
    assertThat(askedForOne).as("all addresses of a name are asked for").hasValue(0);
  }

  @Test
  void freshAnswer_isNotAskedForAgain_whateverTheCase() {
    assertThat(find("bob.test")).isEqualTo(addresses(ONE));
    assertThat(find("BOB.test")).isEqualTo(addresses(ONE));
    assertThat(asked).hasValue(1);
  }

  @Test
  void addressOfAnEarlierAnswer_countsForAMinute_andNoLonger() {
    assertThat(find("bob.test")).isEqualTo(addresses(ONE));
    answer.set(List.of(TWO));
    nowNs.addAndGet(TimeUnit.SECONDS.toNanos(DnsNames.FRESH_S));
    assertThat(find("bob.test")).isEqualTo(addresses(ONE, TWO));
    nowNs.addAndGet(TimeUnit.SECONDS.toNanos(DnsNames.KEEP_S - DnsNames.FRESH_S));
    assertThat(find("bob.test")).isEqualTo(addresses(TWO));
  }

  @Test
  void nameWithoutAnAddress_isNone() {
    answer.set(List.of());
    assertThat(find("bob.test")).isEqualTo(new NameLookup.Found.None());
  }

  private NameLookup.Found find(String name) {
    CompletableFuture<NameLookup.Found> found = new CompletableFuture<>();
    loops.next().execute(() -> names.find(loops.next(), name, found::complete));
    return found.join();
  }

  private static NameLookup.Found addresses(InetAddress... all) {
    return new NameLookup.Found.Addresses(Set.of(all));
  }

  /** Answers what the test says. */
  private final class Answers extends AddressResolverGroup<InetSocketAddress> {
    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
      return new InetSocketAddressResolver(
          executor,
          new InetNameResolver(executor) {
            @Override
            protected void doResolve(String name, Promise<InetAddress> promise) {
              askedForOne.incrementAndGet();
              promise.setFailure(new UnknownHostException(name));
            }

            @Override
            protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
              asked.incrementAndGet();
              if (answer.get().isEmpty()) {
                promise.setFailure(new UnknownHostException(name));
              } else {
                promise.setSuccess(answer.get());
              }
            }
          });
    }
  }
}
