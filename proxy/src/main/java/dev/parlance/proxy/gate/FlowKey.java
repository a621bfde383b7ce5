package dev.parlance.proxy.gate;

import dev.parlance.policy.text.Utf8Span;

/**
 * What an error budget belongs to (PROTOCOLS, section 6 f): a flow alone would let one author spend
 * another's budget, and a task id changes on every regeneration.
 *
 * @param flow the flow id
 * @param author who wrote the draft: the asked agent's address with the caller's whom it answers,
 *     or the caller's
 * @param question what was asked; empty for the caller's own messages
 */
public record FlowKey(String flow, String author, Utf8Span question) {}
