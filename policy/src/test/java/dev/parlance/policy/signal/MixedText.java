package dev.parlance.policy.signal;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.text.Utf8Span;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;

/** Texts mostly of ASCII words out of a small vocabulary, with what is rarer strewn in. */
final class MixedText {
  private static final String SEPARATORS = "          ,.;:-_/'\"\n\t!?@`{}^~|<>=+*&%$#\0\u007f";

  private final RandomGenerator random;
  private final HostileText hostile;
  private final List<String> vocabulary = new ArrayList<>();

  MixedText(RandomGenerator random) {
    this.random = random;
    hostile = new HostileText(random);
    for (int i = 0; i < 60; i++) {
      vocabulary.add(word(1 + random.nextInt(i % 10 == 0 ? 40 : 12)));
    }
  }

  AgentMessage message(int maxBytes) {
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      chunks.add(new Chunk("c" + i, text(maxBytes)));
    }
    return new AgentMessage(
        text(maxBytes),
        text(1 + maxBytes / 4),
        new Evidence(
            EvidenceSource.DECLARED,
            chunks,
            random.nextBoolean() ? List.of() : List.of(" C1 ", "x9"),
            OptionalDouble.empty(),
            List.of()));
  }

  /** A view that begins somewhere in its array, and ends at the array's end or before it. */
  Utf8Span text(int maxBytes) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int offset = random.nextInt(20);
    bytes.writeBytes(
        "[chunk q1] (before".repeat(2).substring(0, offset).getBytes(StandardCharsets.US_ASCII));
    int length = random.nextInt(maxBytes + 1);
    int strange = random.nextInt(3) == 0 ? 0 : 5 + random.nextInt(100);
    while (bytes.size() - offset < length) {
      if (strange > 0 && random.nextInt(strange) == 0) {
        bytes.writeBytes(hostile.text(6).toByteArray());
      } else {
        bytes.writeBytes(
            cased(vocabulary.get(random.nextInt(vocabulary.size())))
                .getBytes(StandardCharsets.US_ASCII));
      }
      bytes.write(SEPARATORS.charAt(random.nextInt(SEPARATORS.length())));
    }
    int used = bytes.size() - offset;
    int after = random.nextBoolean() ? 0 : random.nextInt(80);
    for (int i = 0; i < after; i++) {
      bytes.write(random.nextBoolean() ? 'z' : 0x80 + random.nextInt(0x80));
    }
    byte[] all = bytes.toByteArray();
    return Utf8Span.of(all, offset, Math.min(used, length));
  }

  private String cased(String word) {
    return random.nextInt(5) == 0 ? word.toUpperCase(java.util.Locale.ROOT) : word;
  }

  private String word(int length) {
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < length; i++) {
      word.append("abcdefghijklmnopqrstuvwxyz0123456789".charAt(random.nextInt(36)));
    }
    return word.toString();
  }
}
