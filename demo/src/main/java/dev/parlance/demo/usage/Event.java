package dev.parlance.demo.usage;

/**
 * A public event.
 *
 * @param pei public event identifier
 * @param text what happens, in plain words
 */
public record Event(String pei, String text) {}
