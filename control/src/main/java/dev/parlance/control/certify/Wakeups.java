package dev.parlance.control.certify;

/**
 * What the other parts of a replica are told at once, where other replicas find it at their next
 * poll.
 *
 * @param questionsAsked questions are in the store
 * @param coresPublished a core was published
 */
public record Wakeups(Runnable questionsAsked, Runnable coresPublished) {}
