package dev.parlance.console.source;

import dev.parlance.service.Result;
import java.util.OptionalLong;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a control plane keeps: cores, rounds, pacts, boards, the ledger. Answers are as openapi.yaml
 * has them; every call may block for a bounded time.
 */
public interface RecordSource {
  /** The latest version of each core. */
  Result<ObjectNode> cores();

  /**
   * One version of a core.
   *
   * @param version the version; empty: the latest
   * @param with one to compare it with
   */
  Result<ObjectNode> core(String key, OptionalLong version, OptionalLong with);

  /** Rounds, latest first. */
  Result<ObjectNode> rounds(int limit);

  /**
   * One round.
   *
   * @param words true with the words of proposals
   */
  Result<ObjectNode> round(String key, boolean words);

  /** Pacts, scores, and negotiations that were handed to arbiters. */
  Result<ObjectNode> pacts(int limit);

  /** Boards, latest change first. */
  Result<ObjectNode> boards(int limit);

  /** One board with its terms. */
  Result<ObjectNode> board(String key);

  /** Checkpoint and verification. */
  Result<ObjectNode> ledger();

  /**
   * Entries, latest first.
   *
   * @param before only those with a lower index; empty: from the end
   */
  Result<ObjectNode> entries(int limit, OptionalLong before);

  /** One entry with its proof. */
  Result<ObjectNode> entry(long index);
}
