package dev.parlance.wire.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.wire.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SplicerTest {
  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

  @AfterEach
  void everyBufferIsReleased() {
    assertThat(allocator.metric().usedDirectMemory()).isZero();
    assertThat(allocator.metric().usedHeapMemory()).isZero();
  }

  private static PlainBody body(String text) {
    return PlainBody.of(Wire.bytes(text + "abc"), text.length(), Arena.unpooled());
  }

  private static Edit edit(int offset, int removed, String inserted) {
    return new Edit(offset, removed, Wire.bytes(inserted));
  }

  @Test
  void edits_areSplicedIntoDirectMemory() {
    ByteBuf spliced =
        Splicer.apply(
            body("0123456789"),
            List.of(
                edit(0, 0, "<"),
                edit(2, 3, ""),
                edit(5, 0, "x"),
                edit(5, 1, "y"),
                edit(10, 0, ">")),
            allocator);
    assertThat(ByteBufUtil.getBytes(spliced)).isEqualTo(Wire.bytes("<01xy6789>"));
    assertThat(spliced.isDirect()).isTrue();
    spliced.release();
  }

  @Test
  void wholeBody_canBeReplaced() {
    ByteBuf spliced = Splicer.apply(body("0123"), List.of(edit(0, 4, "new")), allocator);
    assertThat(ByteBufUtil.getBytes(spliced)).isEqualTo(Wire.bytes("new"));
    spliced.release();
  }

  @Test
  void badEdits_areRefused() {
    for (List<Edit> bad :
        List.of(
            List.of(edit(5, 0, "x")),
            List.of(edit(3, 2, "x")),
            List.of(edit(-1, 0, "x")),
            List.of(edit(0, -1, "x")),
            List.of(edit(2, 0, "x"), edit(1, 0, "x")),
            List.of(edit(0, 3, "x"), edit(2, 1, "x")))) {
      assertThatThrownBy(() -> Splicer.apply(body("0123"), bad, allocator))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> Splicer.applyToBytes(new byte[4], bad))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void randomEdits_agreeWithTheArrayForm() {
    Random random = new Random(3);
    for (int round = 0; round < 500; round++) {
      String text = "x".repeat(random.nextInt(40)) + "0123456789";
      List<Edit> edits = new ArrayList<>();
      int at = 0;
      while (at < text.length() && edits.size() < 5) {
        at += random.nextInt(text.length() - at + 1);
        int removed = random.nextInt(Math.min(4, text.length() - at) + 1);
        edits.add(edit(at, removed, "i".repeat(random.nextInt(3))));
        at += removed;
      }
      StringBuilder expected = new StringBuilder();
      int kept = 0;
      for (Edit edit : edits) {
        expected.append(text, kept, edit.offset()).append("i".repeat(edit.inserted().length));
        kept = edit.offset() + edit.removed();
      }
      expected.append(text, kept, text.length());
      assertThat(Splicer.applyToBytes(Wire.bytes(text), edits))
          .isEqualTo(Wire.bytes(expected.toString()));
      ByteBuf spliced = Splicer.apply(body(text), edits, allocator);
      assertThat(ByteBufUtil.getBytes(spliced)).isEqualTo(Wire.bytes(expected.toString()));
      spliced.release();
    }
  }
}
