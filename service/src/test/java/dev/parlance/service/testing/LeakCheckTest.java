package dev.parlance.service.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
class LeakCheckTest {
  @Test
  void plantedLeak_failsTheCheck_andNamesWhereItWasMade() {
    long mark = OpenBuffers.mark();
    ByteBuf planted = ByteBufAllocator.DEFAULT.directBuffer(16);
    assertThatThrownBy(() -> LeakCheck.check(mark, 0))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("LEAK: 1")
        .satisfies(e ->
            assertThat(e.getSuppressed()[0].getStackTrace())
                .anyMatch(f -> f.getClassName().equals(LeakCheckTest.class.getName())));
    planted.release();
    LeakCheck.check(mark, 0);
  }

  @Test
  void releasedBuffers_passTheCheck() {
    long mark = OpenBuffers.mark();
    ByteBuf buffer = ByteBufAllocator.DEFAULT.buffer(16);
    ByteBuf slice = buffer.readRetainedSlice(0);
    slice.release();
    buffer.release();
    LeakCheck.check(mark, 0);
    assertThat(OpenBuffers.openSince(mark)).isEmpty();
  }
}
