package dev.parlance.proxy.gate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A keyed 64-bit hash of long texts at memory speed: four lanes of multiplications by secret odd
 * numbers. For finding only: whoever uses it compares the texts as well.
 */
final class ContentHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long key0;
  private final long key1;
  private final long key2;
  private final long key3;

  ContentHash(long seed) {
    key0 = mix(seed + 1) | 1;
    key1 = mix(seed + 2) | 1;
    key2 = mix(seed + 3) | 1;
    key3 = mix(seed + 4) | 1;
  }

  long of(byte[] bytes, int from, int length) {
    long a = length;
    long b = key1;
    long c = key2;
    long d = key3;
    int at = from;
    int end = from + length;
    for (; at + 32 <= end; at += 32) {
      a = (a ^ (long) LONG.get(bytes, at)) * key0;
      b = (b ^ (long) LONG.get(bytes, at + 8)) * key1;
      c = (c ^ (long) LONG.get(bytes, at + 16)) * key2;
      d = (d ^ (long) LONG.get(bytes, at + 24)) * key3;
      // A product's high bits know of all bits below them; the low ones have to be told.
      a ^= a >>> 32;
      b ^= b >>> 32;
      c ^= c >>> 32;
      d ^= d >>> 32;
    }
    for (; at + 8 <= end; at += 8) {
      a = mix(a ^ (long) LONG.get(bytes, at));
    }
    for (; at < end; at++) {
      b = (b ^ bytes[at]) * key0;
      b ^= b >>> 32;
    }
    return mix(mix(mix(mix(a) ^ b) ^ c) ^ d);
  }

  private static long mix(long value) {
    long z = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
