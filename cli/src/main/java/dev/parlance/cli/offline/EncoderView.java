package dev.parlance.cli.offline;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.control.embed.Embedders;
import dev.parlance.control.embed.EncoderStatus;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import java.io.PrintStream;
import java.util.Optional;

/**
 * An encoder's state as it is printed. What a state has not is left out.
 *
 * @param state {@code ready}, {@code off} or {@code failed}
 * @param manifestSha256 hex
 * @param fault why it failed: a stable code
 * @param detail the same for people
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record EncoderView(
    String state,
    Optional<String> id,
    Optional<Integer> dim,
    Optional<Integer> maxTokens,
    Optional<Double> cosMin,
    Optional<String> manifestSha256,
    Optional<String> fault,
    Optional<String> detail) {
  static EncoderView of(EncoderStatus status) {
    Optional<EncoderInfo> info =
        status instanceof EncoderStatus.Ready(EncoderInfo ready)
            ? Optional.of(ready)
            : Optional.empty();
    Optional<EncoderStatus.Failed> failed =
        status instanceof EncoderStatus.Failed it ? Optional.of(it) : Optional.empty();
    return new EncoderView(
        Embedders.stateOf(status),
        info.map(EncoderInfo::id),
        info.map(EncoderInfo::dim),
        info.map(EncoderInfo::maxTokens),
        info.flatMap(EncoderInfo::cosMin),
        info.map(EncoderInfo::manifestSha256),
        failed.map(it -> it.fault().code()),
        failed.map(EncoderStatus.Failed::detail));
  }

  boolean isReady() {
    return id.isPresent();
  }

  void print(PrintStream out) {
    line(out, "state", Optional.of(state));
    line(out, "id", id);
    line(out, "dim", dim);
    line(out, "maxTokens", maxTokens);
    line(out, "cosMin", cosMin);
    line(out, "manifest", manifestSha256.map(hex -> "sha256 " + hex));
    line(out, "fault", fault);
    line(out, "detail", detail);
  }

  private static void line(PrintStream out, String name, Optional<?> value) {
    value.ifPresent(it ->
        out.println(name + " ".repeat(11 - name.length()) + TerminalEscaper.line(it.toString())));
  }
}
