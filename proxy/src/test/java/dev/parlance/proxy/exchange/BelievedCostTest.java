package dev.parlance.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.main.MessageChecks;
import dev.parlance.proxy.verdict.VerdictGuard;
import dev.parlance.proxy.verdict.VerdictKeys;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.service.file.SafeFile;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a second sidecar adds to an exchange whose messages it believes to be judged: both without
 * sockets, on one event loop.
 */
class BelievedCostTest {
  private static final int BODY_BYTES = 4_500;

  /** {@code -Dexchange.blocks=40} measures, and prints medians. */
  private static final int BLOCKS = Integer.getInteger("exchange.blocks", 1);

  private static final int BLOCK = BLOCKS > 1 ? 1_000 : 150;

  /**
   * Most bytes that two verdicts, each made and checked, and the fields that they travel in take,
   * above what it takes two sidecars to judge both messages. It is some 13,000, and depends a
   * little on what the compiler has seen.
   */
  private static final long MOST_ADDED = 16_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final SignerKey buyersKey = SignerKey.generate("buyer", KeyType.ED25519);
  private final SignerKey sellersKey = SignerKey.generate("seller", KeyType.ED25519);

  @TempDir Path folder = Path.of("");
  private final EventLoops loops = EventLoops.start(1);
  private final EventLoop loop = loops.next();

  @AfterEach
  void stop() {
    loops.close();
  }

  /**
   * One block of exchanges.
   *
   * @param bytes allocated for each
   * @param cpuNs processor time of the loop's thread for each
   */
  private record Cost(long bytes, long cpuNs) {
    static Cost median(List<Cost> blocks) {
      return new Cost(
          blocks.stream().map(Cost::bytes).sorted().toList().get(blocks.size() / 2),
          blocks.stream().map(Cost::cpuNs).sorted().toList().get(blocks.size() / 2));
    }
  }

  @Test
  void verdictsThatAreBelieved_leaveLittleGarbage() throws IOException {
    try (ExchangeLoop alone = sidecar("alone", Direction.INBOUND, "", Optional.empty());
        ExchangeLoop seller =
            sidecar(
                "seller", Direction.INBOUND, verdicts(sellersKey, buyersKey), Optional.empty());
        ExchangeLoop buyer =
            sidecar(
                "buyer", Direction.OUTBOUND, verdicts(buyersKey, sellersKey), Optional.of(seller));
        ExchangeLoop doubting = sidecar("doubting", Direction.INBOUND, "", Optional.empty());
        ExchangeLoop doubted = sidecar("doubted", Direction.OUTBOUND, "", Optional.of(doubting))) {
      List<ExchangeLoop> settings = List.of(alone, buyer, doubted);
      List<List<Cost>> costs = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      Random random = new Random(7);
      byte[] request = padded(REQUEST, random);
      byte[] answer = padded(ANSWER, random);
      for (int block = 0; block < 1 + BLOCKS; block++) {
        for (int i = 0; i < settings.size(); i++) {
          ExchangeLoop one = settings.get(i);
          ExchangeLoop last = i == 0 ? alone : i == 1 ? seller : doubting;
          Cost cost = onLoop(() -> block(one, last, request, answer));
          if (block > 0) {
            costs.get(i).add(cost);
          }
        }
      }
      int exchanges = (1 + BLOCKS) * BLOCK;
      settings.forEach(one -> assertThat(one.answered()).isEqualTo(exchanges));
      assertThat(seller.scrape()).contains("{result=\"believed\"} " + (double) exchanges);
      assertThat(buyer.scrape()).contains("{result=\"believed\"} " + (double) exchanges);
      List<Cost> medians = costs.stream().map(Cost::median).toList();
      if (BLOCKS > 1) {
        List<String> names = List.of("one sidecar", "two, the second believes", "two, both judge");
        for (int i = 0; i < names.size(); i++) {
          System.out.printf(
              "%s: %,d bytes, %.1f us an exchange, %.2f times one%n",
              names.get(i),
              medians.get(i).bytes(),
              medians.get(i).cpuNs() / 1000.0,
              medians.get(i).cpuNs() / (double) medians.getFirst().cpuNs());
        }
      }
      assertThat(medians.get(1).bytes() - medians.get(2).bytes()).isLessThan(MOST_ADDED);
    }
  }

  private static Cost block(ExchangeLoop first, ExchangeLoop last, byte[] request, byte[] answer) {
    last.answers("application/json", answer);
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    long cpuNs = THREADS.getCurrentThreadCpuTime();
    first.run("/a2a", "application/json", request, answer, BLOCK);
    return new Cost(
        (THREADS.getCurrentThreadAllocatedBytes() - bytes) / BLOCK,
        (THREADS.getCurrentThreadCpuTime() - cpuNs) / BLOCK);
  }

  private <T> T onLoop(Supplier<T> step) {
    return CompletableFuture.supplyAsync(step, loop).orTimeout(120, TimeUnit.SECONDS).join();
  }

  private static String verdicts(SignerKey own, SignerKey peer) {
    return "verdicts: { keyFile: verdict.key, trustVerdicts: [%s], peers: [{ key: \"%s\", hosts: [\"*\"] }] }\n"
        .formatted(peer.name(), peer.verifier().format());
  }

  private ExchangeLoop sidecar(
      String name, Direction direction, String more, Optional<ExchangeLoop> next)
      throws IOException {
    Path own = Files.createDirectories(folder.resolve(name));
    SafeFile.replace(
        own.resolve("verdict.key"), (name.equals("buyer") ? buyersKey : sellersKey).toFile());
    String listener =
        direction == Direction.INBOUND
            ? "inbound: { listen: \"127.0.0.1:0\", agent: \"127.0.0.1:9\" }\n"
            : "outbound: { listen: \"127.0.0.1:0\", allowLoopback: true }\n";
    SidecarConfig config =
        ExchangeLoop.config(own, listener + "routes: [ { name: all, codec: a2a } ]\n" + more);
    VerdictKeys keys = VerdictKeys.open(() -> config, "1", System::currentTimeMillis);
    Check.Kind verdicts = VerdictGuard.kind(keys);
    Check.Order order =
        new Check.Order(
            MessageChecks.ORDER.words(),
            Stream.concat(Stream.of(verdicts), MessageChecks.ORDER.request().stream()).toList(),
            Stream.concat(Stream.of(verdicts), MessageChecks.ORDER.answer().stream()).toList(),
            MessageChecks.ORDER.last());
    return new ExchangeLoop(own, loop, config, direction, order, Optional.empty(), next);
  }

  private static final String REQUEST =
      """
      {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m-1",\
      "contextId":"flow-1","role":"ROLE_USER","parts":[{"text":"When is the impeller due?"}],\
      "metadata":{"history":"#"}}}}\
      """;

  private static final String ANSWER =
      """
      {"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"a-1","contextId":"flow-1",\
      "role":"ROLE_AGENT","parts":[{"text":"The impeller is due after 2000 hours [Chunk c1]."}],\
      "metadata":{"https://w3id.org/parlance/ext/evidence/v1":{"context":[{"id":"c1","text":\
      "The impeller is due after 2000 hours. #"}]}}}}}\
      """;

  private static byte[] padded(String template, Random random) {
    StringBuilder words = new StringBuilder();
    while (words.length() < BODY_BYTES - template.length()) {
      words.append(Integer.toString(random.nextInt(1 << 20), Character.MAX_RADIX)).append(' ');
    }
    return template.replace("#", words).getBytes(StandardCharsets.UTF_8);
  }
}
