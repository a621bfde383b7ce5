package dev.parlance.policy.claim.change;

/**
 * A field of the evidence: some words before a colon, and a short value behind it. Fields of rows
 * and records stand so ({@code model: X200; price: 340 EUR}). For one thread; the positions are
 * those of the field read last.
 */
final class FieldReader {
  private static final int MAX_NAME = 4;

  /** A longer value is a text. */
  static final int MAX_VALUE = 6;

  private final PairIndex evidence;

  int nameFrom;
  int nameAfter;
  int valueAfter;

  FieldReader(PairIndex evidence) {
    this.evidence = evidence;
  }

  /** Reads the field of a label. */
  void read(int label) {
    nameAfter = evidence.label(label) + 1;
    nameFrom = nameAfter - 1;
    int chunk = evidence.chunk(nameFrom);
    while (nameFrom > evidence.start(chunk)
        && nameAfter - nameFrom < MAX_NAME
        && !evidence.begins(nameFrom)
        && isJoined(nameFrom, "_-. ")
        && !isStop(nameFrom)) {
      nameFrom--;
    }
    int next = label + 1 < evidence.labels() ? evidence.label(label + 1) : evidence.count();
    valueAfter = nameAfter;
    while (valueAfter < evidence.end(chunk)
        && valueAfter < next
        && valueAfter - nameAfter <= MAX_VALUE
        && !evidence.begins(valueAfter)
        && (valueAfter == nameAfter || isJoined(valueAfter, "_-.,'/()\" "))) {
      valueAfter++;
    }
  }

  /** True if it has a value that is no text. */
  boolean isShort() {
    return valueAfter > nameAfter && valueAfter - nameAfter <= MAX_VALUE;
  }

  /** True if a full stop and a blank stand before a position. */
  private boolean isStop(int position) {
    int before = evidence.endByte(position - 1);
    return evidence.startByte(position) > before + 1
        && evidence.text(evidence.chunk(position)).byteAt(before) == '.';
  }

  /** True if no other marks stand between a position and the one before. */
  private boolean isJoined(int position, String marks) {
    int chunk = evidence.chunk(position);
    for (int at = evidence.endByte(position - 1); at < evidence.startByte(position); at++) {
      if (marks.indexOf(evidence.text(chunk).byteAt(at)) < 0) {
        return false;
      }
    }
    return true;
  }
}
