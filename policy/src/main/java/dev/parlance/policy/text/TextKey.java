package dev.parlance.policy.text;

/**
 * What a text that was read before is known by: a keyed digest of all its bytes and its length,
 * which two different texts do not share. Not to be written anywhere.
 *
 * @param first one half
 * @param second the other
 */
public record TextKey(long first, long second) {}
