package dev.parlance.wire.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.Arena;
import dev.parlance.wire.bytes.ArrayPool;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Utf8;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ArenaTest {
  private static final int ROUNDS = 200 * Integer.getInteger("soak", 5);
  private static final JsonScanner.Limits LIMITS = JsonScanner.Limits.DEFAULT;

  private final Random random = new Random(20261122);

  @Test
  void released_theArraysAreTheNextOnes_andNothingOfTheOldBytesIsLeft() {
    Arena first = Arena.ofThread();
    PlainBody body = PlainBody.copyOf(bytes("{\"a\":\"quiet\"}"), first);
    JsonDocument json = scanned(body);
    Utf8Span text = json.text(2);
    assertThat(text).hasToString("quiet");
    first.release();
    assertThat(Arrays.equals(text.toByteArray(), "quiet".getBytes(StandardCharsets.UTF_8)))
        .as("who looks after the release sees no message")
        .isFalse();
    assertThatThrownBy(() -> json.text(2)).isInstanceOf(RuntimeException.class);
    Arena second = Arena.ofThread();
    assertThat(PlainBody.copyOf(bytes("{\"b\":\"other\"}"), second).array()).isSameAs(body.array());
    second.release();
  }

  @Test
  void releaseAndUseAfterIt_throw() {
    Arena arena = Arena.ofThread();
    byte[] array = arena.fresh(10);
    arena.release();
    assertThatThrownBy(arena::release).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(arena::letGo).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> arena.fresh(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> arena.reserve(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> arena.ints(1)).isInstanceOf(IllegalStateException.class);
    Arena next = Arena.ofThread();
    assertThat(next.fresh(10)).isSameAs(array);
    next.release();
  }

  @Test
  void letGo_keepsWhatItHolds_andGoesOnWithArraysOfItsOwn() {
    Arena arena = Arena.ofThread();
    PlainBody body = PlainBody.copyOf(bytes("{\"a\":\"be \\\"quiet\\\"\"}"), arena);
    JsonDocument json = scanned(body);
    Utf8Span before = json.text(2);
    arena.letGo();
    Arena other = Arena.ofThread();
    Arrays.fill(other.fresh(body.array().length), (byte) 'x');
    assertThat(before).hasToString("be \"quiet\"");
    assertThat(json.text(2)).isEqualTo(before);
    assertThatThrownBy(arena::release).isInstanceOf(IllegalStateException.class);
    other.release();
  }

  @Test
  void arraysOfOneThread_areNotKeptForAnother() {
    Arena arena = Arena.ofThread();
    byte[] array = arena.fresh(4000);
    CompletableFuture.runAsync(arena::release).join();
    Arena next = Arena.ofThread();
    assertThat(next.fresh(4000)).isNotSameAs(array);
    next.release();
  }

  @Test
  void whoeverWritesAfterTheRelease_isFound() {
    ArrayPool pool = new ArrayPool(true);
    byte[] array = pool.bytes(100);
    pool.giveBack(array);
    array[7] = 1;
    assertThatThrownBy(() -> pool.bytes(100)).isInstanceOf(IllegalStateException.class);
    int[] tape = pool.ints(100);
    pool.giveBack(tape);
    tape[7] = 1;
    assertThatThrownBy(() -> pool.ints(100)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whatIsKept_isBounded_whateverComesBack() {
    ArrayPool pool = new ArrayPool(true);
    List<byte[]> taken = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      byte[] array = pool.bytes(random.nextInt(2 * ArrayPool.LARGEST));
      taken.add(array);
      if (random.nextInt(3) == 0) {
        pool.giveBack(pool.ints(random.nextInt(ArrayPool.LARGEST)));
      }
    }
    taken.forEach(pool::giveBack);
    assertThat(pool.keptBytes()).isPositive().isLessThanOrEqualTo(ArrayPool.MOST_BYTES);
    int before = pool.keptBytes();
    pool.giveBack(new byte[ArrayPool.LARGEST + 1]);
    assertThat(pool.keptBytes()).isEqualTo(before);
  }

  @Test
  void everyArray_holdsWhatWasAskedFor_andBelongsToOne() {
    ArrayPool pool = new ArrayPool(true);
    IdentityHashMap<Object, Integer> out = new IdentityHashMap<>();
    List<byte[]> mine = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      if (random.nextBoolean() || mine.isEmpty()) {
        int size = random.nextInt((3 * ArrayPool.SMALLEST) << random.nextInt(9));
        byte[] array = pool.bytes(size);
        assertThat(array.length).isGreaterThanOrEqualTo(size);
        assertThat(array.length)
            .isLessThanOrEqualTo(Math.max(ArrayPool.SMALLEST, 3 * size / 2 + 2));
        assertThat(out.put(array, i)).isNull();
        mine.add(array);
      } else {
        byte[] array = mine.remove(random.nextInt(mine.size()));
        out.remove(array);
        pool.giveBack(array);
      }
    }
  }

  /** Whatever stands behind a body in its array, the body is read as if the array ended there. */
  @Test
  void bodyInALongerArray_isReadAsAlone() {
    int refused = 0;
    for (int i = 0; i < ROUNDS; i++) {
      byte[] body = json();
      byte[] longer = Arrays.copyOf(body, body.length + 40);
      byte[] behind = behind();
      System.arraycopy(behind, 0, longer, body.length, behind.length);
      Arena memory = Arena.ofThread();
      JsonScanner.Scan alone = JsonScanner.scan(body, LIMITS);
      JsonScanner.Scan found = JsonScanner.scan(PlainBody.of(longer, body.length, memory), LIMITS);
      String told = new String(longer, StandardCharsets.ISO_8859_1);
      switch (alone) {
        case JsonScanner.Refused refusal -> {
          refused++;
          assertThat(found).as(told).isEqualTo(refusal);
        }
        case JsonScanner.Scanned(JsonDocument tree) -> {
          assertThat(found).as(told).isInstanceOf(JsonScanner.Scanned.class);
          JsonDocument same = ((JsonScanner.Scanned) found).document();
          assertThat(same.nodes()).isEqualTo(tree.nodes());
          List<Utf8Span> texts = new ArrayList<>();
          for (int node = 0; node < tree.nodes(); node++) {
            assertThat(same.start(node)).isEqualTo(tree.start(node));
            assertThat(same.end(node)).isEqualTo(tree.end(node));
            assertThat(same.skip(node)).isEqualTo(tree.skip(node));
            if (tree.isString(node) || tree.isName(node)) {
              assertThat(same.string(node)).isEqualTo(tree.string(node));
              texts.add(same.text(node, random.nextInt(20)));
            }
          }
          int at = 0;
          for (int node = 0; node < tree.nodes(); node++) {
            if (tree.isString(node) || tree.isName(node)) {
              assertThat(texts.get(at++)).as("later texts leave it").isEqualTo(tree.text(node));
            }
          }
        }
      }
      assertThat(Utf8.problem(longer, body.length)).isEqualTo(Utf8.problem(body));
      memory.release();
    }
    assertThat(refused).isBetween(ROUNDS / 20, ROUNDS - ROUNDS / 20);
  }

  private static JsonDocument scanned(PlainBody body) {
    if (JsonScanner.scan(body, LIMITS) instanceof JsonScanner.Scanned(JsonDocument json)) {
      return json;
    }
    throw new AssertionError("refused");
  }

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
  }

  /** A document, as a rule cut off or changed somewhere. */
  private byte[] json() {
    StringBuilder text = new StringBuilder("{\"n\":-12.5e3,\"t\":[true,null],\"texts\":[");
    int strings = random.nextInt(20);
    for (int i = 0; i < strings; i++) {
      text.append(i == 0 ? "\"" : ",\"");
      for (int j = random.nextInt(30); j > 0; j--) {
        text.append(
            switch (random.nextInt(12)) {
              case 0 -> "\\\"";
              case 1 -> "\\u00e9";
              case 2 -> "\\ud83d\\ude00";
              case 3 -> "é";
              case 4 -> "\\n";
              default -> "abcdefgh".substring(random.nextInt(8));
            });
      }
      text.append('"');
    }
    text.append("]}");
    byte[] whole = text.toString().getBytes(StandardCharsets.UTF_8);
    byte[] body =
        random.nextInt(3) == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole;
    if (random.nextInt(6) == 0 && body.length > 0) {
      body[random.nextInt(body.length)] = (byte) random.nextInt(256);
    }
    return body;
  }

  /** What could go on with a body that is cut off, and poison. */
  private byte[] behind() {
    String text =
        List.of("0123", "\"]}", "]}", "}", "\\u0041\"]}", "u0041", "rue]", "ull]", "e5}", "\u00a9")
            .get(random.nextInt(10));
    byte[] bytes = Arrays.copyOf(text.getBytes(StandardCharsets.ISO_8859_1), 40);
    Arrays.fill(bytes, text.length(), 40, (byte) 0xff);
    return bytes;
  }
}
