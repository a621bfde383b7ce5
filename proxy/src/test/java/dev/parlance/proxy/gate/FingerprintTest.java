package dev.parlance.proxy.gate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.text.Utf8Span;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FingerprintTest {
  private static final BigInteger PRIME = BigInteger.TWO.pow(61).subtract(BigInteger.ONE);

  /** The same by the book, with numbers of any size. */
  private static final class ByTheBook {
    private static final BigInteger WORD = BigInteger.TWO.pow(64);

    private final long[] words;
    private final BigInteger point;
    private BigInteger value = BigInteger.ONE;

    ByTheBook(long[] words, long point) {
      this.words = words;
      this.point = BigInteger.valueOf(point);
    }

    private void coefficient(BigInteger next) {
      value = value.multiply(point).add(next).mod(PRIME);
    }

    void add(String text) {
      coefficient(BigInteger.valueOf(text.length()));
      for (int at = 0; at < text.length(); at += 3) {
        BigInteger next = BigInteger.ZERO;
        boolean whole = at + 3 <= text.length();
        for (int i = whole ? 2 : 0; i >= 0; i--) {
          next = next.shiftLeft(16).add(BigInteger.valueOf(text.charAt(at + i)));
        }
        coefficient(next);
        if (!whole && at + 2 == text.length()) {
          coefficient(BigInteger.valueOf(text.charAt(at + 1)));
        }
      }
    }

    void add(byte[] text) {
      coefficient(BigInteger.valueOf(text.length));
      for (int from = 0; from < text.length; from += 1024) {
        BigInteger[] halves = new BigInteger[4];
        for (int shift = 0; shift <= 2; shift += 2) {
          BigInteger low = BigInteger.ZERO;
          BigInteger high = BigInteger.ZERO;
          for (int i = 0; i < 128 && from + i * 8 < text.length; i += 2) {
            BigInteger product =
                word(text, from, i)
                    .add(unsigned(words[i + shift]))
                    .mod(WORD)
                    .multiply(
                        word(text, from, i + 1).add(unsigned(words[i + 1 + shift])).mod(WORD));
            low = low.add(product).mod(WORD);
            high = high.add(product.shiftRight(64)).mod(WORD);
          }
          halves[shift] = low;
          halves[shift + 1] = high;
        }
        BigInteger tops = BigInteger.ZERO;
        for (int i = 0; i < 4; i++) {
          coefficient(halves[i].mod(BigInteger.TWO.pow(60)));
          tops = tops.add(halves[i].shiftRight(60).shiftLeft(4 * i));
        }
        coefficient(tops);
      }
    }

    private static BigInteger word(byte[] text, int from, int i) {
      BigInteger word = BigInteger.ZERO;
      for (int at = Math.min(text.length, from + i * 8 + 8) - 1; at >= from + i * 8; at--) {
        word = word.shiftLeft(8).add(BigInteger.valueOf(text[at] & 0xff));
      }
      return word;
    }

    private static BigInteger unsigned(long word) {
      return new BigInteger(Long.toUnsignedString(word));
    }
  }

  @Test
  void everyList_hasTheValueThatTheBookGives() {
    var random = new Random(11);
    for (int i = 0; i < 300; i++) {
      Fingerprint.Key key = key(random);
      var fast = new Fingerprint(key);
      var first = new ByTheBook(key.words(), key.x());
      var second = new ByTheBook(key.words(), key.y());
      int parts = 1 + random.nextInt(4);
      for (int part = 0; part < parts; part++) {
        if (random.nextBoolean()) {
          StringBuilder text = new StringBuilder();
          random.ints(random.nextInt(20), 0, 0x10000).forEach(c -> text.append((char) c));
          fast.add(text.toString());
          first.add(text.toString());
          second.add(text.toString());
        } else {
          byte[] text = bytes(random, random.nextInt(random.nextBoolean() ? 40 : 3500));
          fast.add(within(text, random));
          first.add(text);
          second.add(text);
        }
      }
      assertThat(BigInteger.valueOf(fast.first())).isEqualTo(first.value);
      assertThat(BigInteger.valueOf(fast.second())).isEqualTo(second.value);
    }
  }

  private static Fingerprint.Key key(Random random) {
    long[] words = random.longs(Fingerprint.BLOCK_WORDS + 2).toArray();
    return switch (random.nextInt(3)) {
      case 0 -> new Fingerprint.Key(words, Fingerprint.PRIME - 1, 1);
      default ->
          new Fingerprint.Key(
              words, random.nextLong(Fingerprint.PRIME), random.nextLong(Fingerprint.PRIME));
    };
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    if (random.nextInt(3) > 0) {
      random.nextBytes(bytes);
    } else {
      java.util.Arrays.fill(bytes, (byte) 0xff);
    }
    return bytes;
  }

  /** The same bytes somewhere in a larger array. */
  private static Utf8Span within(byte[] text, Random random) {
    int before = random.nextInt(20);
    byte[] all = bytes(random, before + text.length + random.nextInt(20));
    System.arraycopy(text, 0, all, before, text.length);
    return Utf8Span.of(all, before, text.length);
  }

  @Test
  void listsThatReadTheSame_areToldApart() {
    Set<List<Long>> seen = new HashSet<>();
    List<Fingerprint> different =
        List.of(
            new Fingerprint(),
            new Fingerprint().add(""),
            new Fingerprint().add("").add(""),
            new Fingerprint().add("a"),
            new Fingerprint().add("").add("a"),
            new Fingerprint().add("a").add(""),
            new Fingerprint().add("ab"),
            new Fingerprint().add("a").add("b"),
            new Fingerprint().add("b").add("a"),
            new Fingerprint().add("abc\0"),
            new Fingerprint().add("abc"),
            new Fingerprint().add(span("a\0")),
            new Fingerprint().add(span("a")),
            new Fingerprint().add(span("\0a")),
            new Fingerprint().add(span("x".repeat(1024))),
            new Fingerprint().add(span("x".repeat(1024))).add(""),
            new Fingerprint().add(span("x".repeat(1025))),
            new Fingerprint().add(span("x".repeat(1024) + "\0")));
    for (Fingerprint one : different) {
      assertThat(seen.add(List.of(one.first(), one.second()))).isTrue();
    }
  }

  @Test
  void oneBit_changesBothValues() {
    var random = new Random(12);
    byte[] text = bytes(random, 3000);
    var whole = new Fingerprint().add(Utf8Span.of(text));
    for (int i = 0; i < 500; i++) {
      int at = random.nextInt(text.length);
      byte mask = (byte) (1 << random.nextInt(8));
      text[at] ^= mask;
      var changed = new Fingerprint().add(Utf8Span.of(text));
      text[at] ^= mask;
      assertThat(changed.first()).isNotEqualTo(whole.first());
      assertThat(changed.second()).isNotEqualTo(whole.second());
    }
  }

  private static Utf8Span span(String text) {
    return Utf8Span.of(text.getBytes(UTF_8));
  }
}
