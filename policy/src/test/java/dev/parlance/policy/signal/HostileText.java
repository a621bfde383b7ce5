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

/** Random messages out of pieces that have gone wrong somewhere before. */
final class HostileText {
  private static final List<String> PIECES =
      List.of(
          "alpha",
          "Beta",
          "GAMMA",
          "delta7",
          "42",
          "3.5",
          "ten",
          "units",
          " ",
          "  ",
          "\t",
          "\n",
          "\r\n",
          ".",
          ",",
          "-",
          "_",
          "'",
          "[",
          "]",
          "(",
          ")",
          "[[",
          "]]",
          "[1]",
          "[ 12 , 13 ]",
          "[1;2,3]",
          "[1234567890]",
          "[12,]",
          "(12)",
          "[]",
          "()",
          "[Chunk c1]",
          "(chunk C1)",
          "[CHUNKS c1, c2 and c3]",
          "[Chunk c1 and and c2]",
          "[chunk c1 & chunk c2]",
          "[Chunk 3-5]",
          "[Chunk 5\u20133]",
          "[Chunk 1\u2014100]",
          "[chunk 07-09]",
          "[Chunk9]",
          "[chunkx9]",
          "[chunk: #_-doc-12#3]",
          "[Chunk c1;]",
          "[Chunk chunk-7]",
          "[Chunk nodigit]",
          "[Chunk c1\n]",
          "[Chunk c1)",
          "(Chunk\u00a0c2)",
          "\uff3bChunk\u3000\uff43\uff11\uff3d",
          "[chunk 1-2-3]",
          "[chunk 99999999999999999999-99999999999999999999]",
          "[chunk \u01301]",
          "[chunk c1 , and c2]",
          "[ \t chunks \t 4 ]",
          "chunk c1",
          "Section 1.6",
          "\u0130STANBUL",
          "stra\u00dfe",
          "\ufb01ne",
          "x\u00b2",
          "\u212a",
          "\u00e9",
          "e\u0301",
          "\u0301",
          "\u0489",
          "q\u0323\u0307",
          "q\u0307\u0323",
          "\u200b",
          "\u200d",
          "\u00ad",
          "\ufeff",
          "\u2060",
          "\u202e",
          "\u5951\u7ea6\u7ec8\u6b62",
          "\u3042\u3099\u30fb\u30fc",
          "\uff76\uff9e\uff9f",
          "\ud55c\uad6d\uc5b4",
          "\u1112\u1161\u11ab",
          "\u0939\u093f\u0928\u094d\u0926\u0940",
          "\u0639\u0642\u062f",
          "\u0661\u0662",
          "\u0e1b\u0e35\u0e48",
          "\u0440ay",
          "\u03a3\u0391\u03a3",
          "\ud835\udfd8\ud835\udfd9",
          "\ud840\udc00",
          "\ud83d\udc4d\ud83c\udffd",
          "\u2460",
          "\u00bd",
          "\u2167",
          "\u1e9b\u0323",
          "\ufdfa",
          "\u0344",
          "\u01c5");

  private final RandomGenerator random;

  HostileText(RandomGenerator random) {
    this.random = random;
  }

  AgentMessage message() {
    List<Chunk> chunks = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      chunks.add(new Chunk(id(), text(60)));
    }
    List<String> citations = new ArrayList<>();
    for (int i = random.nextInt(3) - 1; i > 0; i--) {
      citations.add(id());
    }
    EvidenceSource source = chunks.isEmpty() ? EvidenceSource.NONE : EvidenceSource.DECLARED;
    return new AgentMessage(
        text(40),
        text(20),
        new Evidence(source, chunks, citations, OptionalDouble.empty(), List.of()));
  }

  private String id() {
    return switch (random.nextInt(6)) {
      case 0 -> "c" + random.nextInt(4);
      case 1 -> " C" + random.nextInt(4) + " ";
      case 2 -> Integer.toString(random.nextInt(12));
      case 3 -> "\uff43\uff11";
      case 4 -> "";
      default -> "doc-12#3";
    };
  }

  /** Pieces glued together; now and then bytes that are no UTF-8, and a view with an offset. */
  Utf8Span text(int maxPieces) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[] {'[', (byte) 0xE2});
    for (int i = random.nextInt(maxPieces + 1); i > 0; i--) {
      String piece = PIECES.get(random.nextInt(PIECES.size()));
      bytes.writeBytes(piece.getBytes(StandardCharsets.UTF_8));
      if (random.nextInt(3) == 0) {
        bytes.write(' ');
      }
      if (random.nextInt(40) == 0) {
        bytes.write(0x80 + random.nextInt(0x80));
      }
      if (random.nextInt(60) == 0) {
        String far = Character.toString(codePoint());
        bytes.writeBytes(far.getBytes(StandardCharsets.UTF_8));
      }
    }
    bytes.write(']');
    byte[] all = bytes.toByteArray();
    return Utf8Span.of(all, 2, all.length - 3);
  }

  private int codePoint() {
    int codePoint;
    do {
      codePoint = random.nextInt(Character.MAX_CODE_POINT + 1);
    } while (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
    return codePoint;
  }
}
