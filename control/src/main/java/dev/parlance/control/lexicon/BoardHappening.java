package dev.parlance.control.lexicon;

/**
 * Something that happened on a board.
 *
 * @param type coin, reuse, leak, echo, challenge, repair, share, promote, retire
 * @param term as it was coined
 * @param by who did it
 */
public record BoardHappening(String board, String type, String term, String by, long atMs) {}
