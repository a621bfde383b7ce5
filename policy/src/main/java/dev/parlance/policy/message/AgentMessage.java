package dev.parlance.policy.message;

import dev.parlance.policy.text.Utf8Span;

/**
 * What one agent said to another, stripped of protocol.
 *
 * @param answer the text that is judged; empty if the agent said nothing (never passes as judged)
 * @param question what it answers; empty if unknown
 * @param evidence what it is held against
 */
public record AgentMessage(Utf8Span answer, Utf8Span question, Evidence evidence) {}
