package dev.parlance.policy.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A keyed 64-bit hash of bytes with the structure of SipHash-1-3, so that who writes the text
 * cannot choose tokens that collide without knowing the seed.
 */
final class TokenHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long key0;
  private final long key1;

  TokenHash(long seed) {
    key0 = TokenMix.key(seed, 1);
    key1 = TokenMix.key(seed ^ 0x5bd1e995a5a5a5a5L, 1);
  }

  long of(byte[] bytes, int from, int length) {
    long v0 = key0 ^ 0x736f6d6570736575L;
    long v1 = key1 ^ 0x646f72616e646f6dL;
    long v2 = key0 ^ 0x6c7967656e657261L;
    long v3 = key1 ^ 0x7465646279746573L;
    int whole = length & -Long.BYTES;
    long block = 0;
    // 0..whole are the full blocks, then the rest with the length, then three rounds to finish.
    for (int i = 0, rounds = whole / Long.BYTES + 4; i < rounds; i++) {
      int at = i * Long.BYTES;
      if (at < whole) {
        block = (long) LONG.get(bytes, from + at);
      } else if (at == whole) {
        block = tail(bytes, from + whole, length - whole) | (long) length << 56;
      } else {
        block = 0;
        if (at == whole + Long.BYTES) {
          v2 ^= 0xff;
        }
      }
      v3 ^= block;
      v0 += v1;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v3;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 += v3;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v2 = Long.rotateLeft(v2, 32);
      v0 ^= block;
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }

  private static long tail(byte[] bytes, int from, int count) {
    long tail = 0;
    for (int i = 0; i < count; i++) {
      tail |= (bytes[from + i] & 0xFFL) << (i * Byte.SIZE);
    }
    return tail;
  }
}
