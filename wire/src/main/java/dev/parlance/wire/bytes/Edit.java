package dev.parlance.wire.bytes;

/**
 * One change to a body: {@code removed} bytes at {@code offset} give way to {@code inserted}. Lists
 * of edits are sorted by offset and do not overlap; everything outside them stays byte for byte.
 */
// An edit is applied, never compared; the array is not copied.
@SuppressWarnings("ArrayRecordComponent")
public record Edit(int offset, int removed, byte[] inserted) {}
