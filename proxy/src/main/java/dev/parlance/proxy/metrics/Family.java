package dev.parlance.proxy.metrics;

import io.micrometer.core.instrument.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;

/**
 * All series of one metric, addressed by the indexes of their label values: one array look-up and
 * no allocation for a series that exists, and no way to make more series than the label values
 * allow.
 *
 * @param <M> the Micrometer meter behind each series
 */
final class Family<M> {
  private final Meter meter;
  private final LabelValues[] labels;
  private final AtomicReferenceArray<M> series;
  private final BiFunction<Meter, List<Tag>, M> maker;
  private final int most;
  private final AtomicInteger made = new AtomicInteger();

  Family(Meter meter, BiFunction<Meter, List<Tag>, M> maker, LabelValues... labels) {
    this(meter, maker, Integer.MAX_VALUE, labels);
  }

  /**
   * A family in which not every combination can be: past {@code most} series everything goes to the
   * one whose labels are all {@code other}.
   */
  Family(Meter meter, BiFunction<Meter, List<Tag>, M> maker, int most, LabelValues... labels) {
    if (labels.length != meter.labels().size()) {
      throw new IllegalArgumentException(
          meter + " has labels " + meter.labels() + ", got values for " + labels.length);
    }
    this.meter = meter;
    this.labels = labels.clone();
    this.maker = maker;
    int size = 1;
    for (LabelValues values : labels) {
      size *= values.size();
    }
    this.series = new AtomicReferenceArray<>(size);
    this.most = Math.min(most, size);
  }

  /** How many series there can ever be. */
  int size() {
    return most < series.length() ? most + 1 : most;
  }

  M get() {
    return at(0);
  }

  M get(int a) {
    return at(a);
  }

  M get(int a, int b) {
    return at(a * labels[1].size() + b);
  }

  M get(int a, int b, int c) {
    return at((a * labels[1].size() + b) * labels[2].size() + c);
  }

  M get(int a, int b, int c, int d) {
    return at(((a * labels[1].size() + b) * labels[2].size() + c) * labels[3].size() + d);
  }

  private M at(int index) {
    M found = series.get(index);
    if (found != null) {
      return found;
    }
    int last = series.length() - 1;
    return index != last && made.incrementAndGet() > most ? at(last) : make(index);
  }

  /** True if the series is the one for everything that found no room. */
  boolean isOverflow(M one) {
    return most < series.length() && one.equals(series.get(series.length() - 1));
  }

  /**
   * The registry gives the same meter for the same name and tags, so a race makes no second one.
   */
  private M make(int index) {
    List<Tag> tags = new ArrayList<>();
    int rest = index;
    for (int i = labels.length - 1; i >= 0; i--) {
      tags.addFirst(Tag.of(meter.labels().get(i), labels[i].value(rest % labels[i].size())));
      rest /= labels[i].size();
    }
    M made = maker.apply(meter, tags);
    series.set(index, made);
    return made;
  }
}
