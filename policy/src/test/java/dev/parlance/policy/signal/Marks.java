package dev.parlance.policy.signal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.signal.MarkedAnswer.Mark;
import dev.parlance.policy.signal.MarkedAnswer.Range;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** What must hold between the marks of an answer, its counts and its texts. */
public final class Marks {
  private Marks() {}

  /** Checks that the marks add up to the counts and that every range lies in its text, in order. */
  public static void assertAddUp(MarkedAnswer marked, AgentMessage message) {
    Counts counts = marked.measurement().counts();
    assertThat(marked.cut()).isEqualTo(new MarkedAnswer.Cut(0, 0, 0));
    assertThat(different(marked, _ -> true)).as("tokens").isEqualTo(counts.tokens());
    assertThat(different(marked, mark -> mark.evidence().isPresent()))
        .as("inContext")
        .isEqualTo(counts.inContext());
    assertThat(different(marked, mark -> mark.question().isPresent()))
        .as("inQuestion")
        .isEqualTo(counts.inQuestion());
    Predicate<Mark> novel = mark -> mark.evidence().isEmpty() && mark.question().isEmpty();
    assertThat(different(marked, novel)).as("novel").isEqualTo(counts.novel());
    assertThat(different(marked, novel.and(Mark::number)))
        .as("novelNumbers")
        .isEqualTo(counts.novelNumbers());
    Set<String> cited = new LinkedHashSet<>();
    Set<String> known = new LinkedHashSet<>();
    marked
        .citations()
        .forEach(one ->
            one.ids()
                .forEach(id -> {
                  cited.add(id.id());
                  if (id.chunk().isPresent()) {
                    known.add(id.id());
                  }
                }));
    assertThat(List.copyOf(cited)).as("cited").isEqualTo(counts.citedIds());
    assertThat(List.copyOf(known)).as("known").isEqualTo(counts.validIds());
    assertRanges(marked, message);
  }

  private static long different(MarkedAnswer marked, Predicate<Mark> which) {
    return marked.words().stream().filter(mark -> !mark.again()).filter(which).count();
  }

  private static void assertRanges(MarkedAnswer marked, AgentMessage message) {
    int before = 0;
    for (Mark mark : marked.words()) {
      assertThat(mark.range().from()).isGreaterThanOrEqualTo(0);
      assertThat(mark.range().to()).isGreaterThan(mark.range().from());
      assertThat(mark.range().from()).as("order").isGreaterThanOrEqualTo(before);
      before = mark.range().from();
      within(mark.range(), message.answer());
      mark.question().ifPresent(range -> within(range, message.question()));
      mark.evidence()
          .ifPresent(place ->
              within(place.range(), message.evidence().chunks().get(place.chunk()).text()));
    }
    marked
        .citations()
        .forEach(one -> one.range().ifPresent(range -> within(range, message.answer())));
    marked
        .claims()
        .forEach(claim -> {
          within(claim.range(), message.answer());
          claim
              .nearest()
              .ifPresent(place ->
                  within(place.range(), message.evidence().chunks().get(place.chunk()).text()));
          claim.changes().forEach(change -> within(change.said(), message.answer()));
        });
  }

  private static void within(Range range, Utf8Span text) {
    assertThat(range.to()).isLessThanOrEqualTo(text.length());
  }

  /** The texts of ranges. */
  static List<String> texts(List<Range> ranges, String text) {
    List<String> texts = new ArrayList<>();
    Utf8Span bytes = Utf8Span.of(text);
    ranges.forEach(
        range -> texts.add(bytes.slice(range.from(), range.to() - range.from()).toString()));
    return texts;
  }
}
