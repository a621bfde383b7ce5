package dev.parlance.policy.commit;

/**
 * What one agent proposes.
 *
 * @param agent who; any text, one that is no member is dropped
 * @param verdict its verdict; any text, one that is no name is dropped
 * @param textSha256 hex SHA-256 of the UTF-8 text of its rationale
 * @param meaning what that text means to the encoder
 */
public record Proposal(String agent, String verdict, String textSha256, Meaning meaning) {}
