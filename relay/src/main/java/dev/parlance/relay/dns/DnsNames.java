package dev.parlance.relay.dns;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parlance.relay.api.NameLookup;
import dev.parlance.relay.net.EventLoops;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsErrorCauseException;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsNameResolverException;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.resolver.dns.NoopAuthoritativeDnsServerCache;
import io.netty.resolver.dns.NoopDnsCache;
import io.netty.resolver.dns.NoopDnsCnameCache;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks DNS, and only DNS, what addresses a name has. {@code /etc/hosts} does not count: in a pod an
 * agent shares that file with its sidecar and may write to it, so it would vouch for itself.
 *
 * <p>Names are whatever an agent claims, so what is remembered is bounded. An address counts for a
 * name for {@value #KEEP_S} seconds after it was last in an answer: names with many addresses are
 * answered with some of them at a time, and the agent may hold one of an earlier answer.
 */
public final class DnsNames implements NameLookup, AutoCloseable {
  /** An answer is good for so long before the servers are asked again. */
  static final int FRESH_S = 5;

  /** An address of an earlier answer counts for so long. */
  static final int KEEP_S = 60;

  private static final int NONE_FRESH_S = 2;
  private static final int QUERY_TIMEOUT_MS = 500;
  private static final int LOOKUP_TIMEOUT_MS = 1_500;
  private static final int REMEMBERED = 2_048;
  private static final int ADDRESSES = 256;

  private final AddressResolverGroup<InetSocketAddress> resolvers;
  private final LongSupplier clockNs;
  private final Cache<String, Known> known =
      Caffeine.newBuilder().maximumSize(REMEMBERED).executor(Runnable::run).build();

  /**
   * What is known of a name.
   *
   * @param askedNs when
   * @param seenNs when each address was last in an answer
   */
  private record Known(long askedNs, Map<InetAddress, Long> seenNs) {}

  /** Asks the servers of this machine's configuration. */
  public DnsNames(EventLoops loops) {
    this(
        new DnsAddressResolverGroup(
            new DnsNameResolverBuilder()
                .datagramChannelType(loops.datagramChannel())
                .socketChannelType(loops.socketChannel())
                .resolvedAddressTypes(ResolvedAddressTypes.IPV4_PREFERRED)
                .hostsFileEntriesResolver((_, _) -> null)
                .resolveCache(NoopDnsCache.INSTANCE)
                .cnameCache(NoopDnsCnameCache.INSTANCE)
                .authoritativeDnsServerCache(NoopAuthoritativeDnsServerCache.INSTANCE)
                .nameServerProvider(NameServers.fixed())
                .queryTimeoutMillis(QUERY_TIMEOUT_MS)),
        System::nanoTime);
  }

  DnsNames(AddressResolverGroup<InetSocketAddress> resolvers, LongSupplier clockNs) {
    this.resolvers = resolvers;
    this.clockNs = clockNs;
  }

  @Override
  public void find(EventLoop loop, String name, Consumer<Found> then) {
    String key = name.toLowerCase(Locale.ROOT);
    Known before = known.getIfPresent(key);
    if (before != null && isFresh(before)) {
      then.accept(found(before));
      return;
    }
    io.netty.util.concurrent.Future<?> timer =
        loop.schedule(
            () -> then.accept(new Found.Failed("no answer in time")),
            LOOKUP_TIMEOUT_MS,
            TimeUnit.MILLISECONDS);
    resolvers
        .getResolver(loop)
        .resolveAll(InetSocketAddress.createUnresolved(key, 0))
        .addListener((Future<List<InetSocketAddress>> done) -> {
          Found found = answer(key, done);
          if (timer.cancel(false)) {
            then.accept(found);
          }
        });
  }

  private boolean isFresh(Known one) {
    int freshS = one.seenNs().isEmpty() ? NONE_FRESH_S : FRESH_S;
    return clockNs.getAsLong() - one.askedNs() < TimeUnit.SECONDS.toNanos(freshS);
  }

  private Found answer(String key, Future<List<InetSocketAddress>> done) {
    if (!done.isSuccess() && !saysNone(done.cause())) {
      return new Found.Failed(String.valueOf(done.cause()));
    }
    long now = clockNs.getAsLong();
    Map<InetAddress, Long> seen = new HashMap<>();
    Known before = known.getIfPresent(key);
    if (before != null) {
      before
          .seenNs()
          .forEach((address, atNs) -> {
            if (now - atNs < TimeUnit.SECONDS.toNanos(KEEP_S) && seen.size() < ADDRESSES) {
              seen.put(address, atNs);
            }
          });
    }
    if (done.isSuccess()) {
      done.getNow().stream()
          .limit(ADDRESSES)
          .forEach(address -> seen.put(address.getAddress(), now));
    }
    Known fresh = new Known(now, Map.copyOf(seen));
    known.put(key, fresh);
    return found(fresh);
  }

  private static Found found(Known one) {
    return one.seenNs().isEmpty() ? new Found.None() : new Found.Addresses(one.seenNs().keySet());
  }

  /** True if a server said that there is none; false if none said anything of use. */
  private static boolean saysNone(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof DnsErrorCauseException refused) {
        return refused.getCode().equals(DnsResponseCode.NXDOMAIN);
      }
      if (cause instanceof DnsNameResolverException) {
        return false;
      }
    }
    // Answered, without an address.
    return true;
  }

  @Override
  public void close() {
    resolvers.close();
  }

  /**
   * Chooses the DNS servers that are asked: those of the machine's {@code resolv.conf}. Where it
   * names none, this machine is asked, as resolv.conf(5) has it; Netty would ask public servers far
   * away, and names of the inside would leave it.
   */
  public static final class NameServers {
    private static final int DNS_PORT = 53;

    private NameServers() {}

    /** Those of this machine. */
    public static DnsServerAddressStreamProvider ofMachine() {
      return of(Path.of("/etc/resolv.conf"));
    }

    /**
     * Those that the machine names now, whatever it says later: in a pod the file may be the
     * agent's to write, and who answers decides whose a name is.
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
}
