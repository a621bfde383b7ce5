package dev.parlance.proxy.lexicon;

import dev.parlance.policy.lexicon.TurnText;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;

/** What a streamed answer has said so far, as a turn. */
final class StreamedTurn {
  private final int maxChars;
  private final StringBuilder text = new StringBuilder(0);

  /**
   * Nothing was said.
   *
   * @param maxChars most that is a turn; of more nothing is kept
   */
  StreamedTurn(int maxChars) {
    this.maxChars = maxChars;
  }

  /** Another answer comes. */
  void begin() {
    text.setLength(0);
  }

  /** A part of it. */
  void heard(Utf8Span part) {
    if (text.length() <= maxChars) {
      text.append(text.isEmpty() ? "" : "\n").append(part);
    }
  }

  /** True if all of it is there, and is something. */
  boolean isWhole() {
    return !text.isEmpty() && text.length() <= maxChars;
  }

  /** All of it. */
  String text() {
    return text.toString();
  }

  /** What is measured of it: headings say nothing, every other line is a claim. */
  static AgentMessage measured(AgentMessage said) {
    return CoinLines.mayStandIn(said.answer())
        ? new AgentMessage(
            Utf8Span.of(TurnText.of(said.answer().toString()).judged(_ -> false)),
            said.question(),
            said.evidence())
        : said;
  }
}
