package dev.parlance.loadtest;

/**
 * One line of a table: a target, and for those that read evidence which kind they get.
 *
 * @param kind what stands between load and upstream
 * @param evidence what the upstream answers with; {@code SEEN} for targets that do not read it
 */
record Subject(TargetKind kind, Freshness evidence) {
  /** For people: evidence is only named where it matters. */
  String label() {
    return kind.readsEvidence() ? kind.code() + ", " + evidence.code() : kind.code();
  }
}
