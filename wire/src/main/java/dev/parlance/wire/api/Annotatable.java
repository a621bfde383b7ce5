package dev.parlance.wire.api;

import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.json.JsonDocument;
import java.util.List;

/** A parsed message that verdicts are written into and forged ones removed from. */
public interface Annotatable {
  /** How many verdicts about itself the sender wrote into it; they are never believed. */
  int forgedVerdicts();

  /**
   * Edits that put the verdict in, replacing any the sender wrote; empty if this protocol has no
   * place.
   */
  List<Edit> annotate(VerdictHeader verdict);

  /**
   * How many statements on rounds the sender wrote at places where nobody checks them; they are cut
   * by every edit here.
   */
  default int cutRounds() {
    return 0;
  }

  /**
   * The JSON that was read, so that nobody scans it again, or that says the same as what was read;
   * empty if there is none.
   */
  default JsonDocument document() {
    return JsonDocument.EMPTY;
  }

  /** Edits that only remove what the sender may not assert; usually empty. */
  List<Edit> strip();

  /** Nowhere to write a verdict, and none hidden. */
  Annotatable NOWHERE = untouched(JsonDocument.EMPTY);

  /** A message into which nothing is written. */
  static Annotatable untouched(JsonDocument read) {
    return new Annotatable() {
      @Override
      public JsonDocument document() {
        return read;
      }

      @Override
      public int forgedVerdicts() {
        return 0;
      }

      @Override
      public List<Edit> annotate(VerdictHeader verdict) {
        return List.of();
      }

      @Override
      public List<Edit> strip() {
        return List.of();
      }
    };
  }
}
