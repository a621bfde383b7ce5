package dev.parlance.policy.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A read-only view over a range of bytes that hold valid UTF-8.
 *
 * <p>Makes no copy: whoever creates it promises that the bytes do not change while it is in use,
 * and has validated them. All indexes are relative to the view and bounds-checked.
 */
public final class Utf8Span implements Comparable<Utf8Span> {
  /** The empty view. */
  public static final Utf8Span EMPTY = new Utf8Span(new byte[0], 0, 0);

  private final byte[] bytes;
  private final int offset;
  private final int length;

  private Utf8Span(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
  }

  /** A view over {@code length} bytes from {@code offset}; the array is not copied. */
  public static Utf8Span of(byte[] bytes, int offset, int length) {
    java.util.Objects.checkFromIndexSize(offset, length, bytes.length);
    return length == 0 ? EMPTY : new Utf8Span(bytes, offset, length);
  }

  /** A view over a whole array; the array is not copied. */
  public static Utf8Span of(byte[] bytes) {
    return of(bytes, 0, bytes.length);
  }

  /** The UTF-8 bytes of a text; unpaired surrogates become {@code ?}. */
  public static Utf8Span of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Number of bytes. */
  public int length() {
    return length;
  }

  /** True if there are no bytes. */
  public boolean isEmpty() {
    return length == 0;
  }

  /** The byte at {@code index}. */
  public byte byteAt(int index) {
    return bytes[offset + java.util.Objects.checkIndex(index, length)];
  }

  /** A narrower view over the same bytes. */
  public Utf8Span slice(int from, int sliceLength) {
    java.util.Objects.checkFromIndexSize(from, sliceLength, length);
    return of(bytes, offset + from, sliceLength);
  }

  /** A copy of the bytes, for callers that keep them longer than the view lives. */
  public byte[] toByteArray() {
    return Arrays.copyOfRange(bytes, offset, offset + length);
  }

  /** The same text over bytes of its own, for callers that keep it longer than the view lives. */
  public Utf8Span detached() {
    return of(toByteArray());
  }

  /** The backing array, for scanners that cannot afford a call per byte; never write to it. */
  public byte[] array() {
    return bytes;
  }

  /** Where this view starts in {@link #array()}. */
  public int arrayOffset() {
    return offset;
  }

  /** The decoded text. */
  @Override
  public String toString() {
    return new String(bytes, offset, length, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Utf8Span that
        && Arrays.equals(
            bytes, offset, offset + length, that.bytes, that.offset, that.offset + that.length);
  }

  /**
   * By the bytes without sign, which is the order of the code points. With it a table of views
   * stays fast among colliding hashes.
   */
  @Override
  public int compareTo(Utf8Span that) {
    return Arrays.compareUnsigned(
        bytes, offset, offset + length, that.bytes, that.offset, that.offset + that.length);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + bytes[i];
    }
    return hash;
  }
}
