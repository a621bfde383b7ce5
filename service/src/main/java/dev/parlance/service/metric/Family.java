package dev.parlance.service.metric;

import io.micrometer.core.instrument.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All series of one metric, addressed by the indexes of their label values: one array look-up and
 * no allocation for a series that exists, and no way to make more series than the label values
 * allow.
 *
 * @param <M> the Micrometer meter behind each series
 */
public final class Family<M> {
  private final Metric metric;
  private final LabelValues[] labels;
  private final AtomicReferenceArray<M> series;
  private final Function<List<Tag>, M> maker;
  private final SeriesBudget budget;
  private final Consumer<Metric> onDropped;
  private final Room room;
  private final int each;
  private final int most;
  private final AtomicInteger made = new AtomicInteger();
  private final AtomicReference<@Nullable M> overflow = new AtomicReference<>();

  /** How sure it is that a family finds room. */
  public enum Room {
    /** For all its series, from the beginning. */
    RESERVED,
    /** While there is any, but for the series for everything that found none. */
    SHARED
  }

  /**
   * A family without series yet.
   *
   * @param each series that the budget counts for each of this family
   * @param most series of its own; past it everything goes to the one whose labels are all {@code
   *     other}
   */
  Family(
      Metric metric,
      Function<List<Tag>, M> maker,
      SeriesBudget budget,
      Consumer<Metric> onDropped,
      Room room,
      int each,
      int most,
      LabelValues... labels) {
    if (labels.length != metric.facts().labels().size()) {
      throw new IllegalArgumentException(
          metric.metricName()
              + " has labels "
              + metric.facts().labels()
              + ", got values for "
              + labels.length);
    }
    this.metric = metric;
    this.labels = labels.clone();
    this.maker = maker;
    this.each = each;
    int size = 1;
    for (LabelValues values : labels) {
      size *= values.size();
    }
    this.series = new AtomicReferenceArray<>(size);
    this.most = Math.min(most, size);
    boolean overflows = room == Room.SHARED || this.most < size;
    budget.reserve((room == Room.RESERVED ? this.most * each : 0) + (overflows ? each : 0));
    this.budget = budget;
    this.onDropped = onDropped;
    this.room = room;
  }

  /** The series of a family without labels. */
  public M get() {
    return at(0);
  }

  /** The series of the value with this index. */
  public M get(int a) {
    return at(a);
  }

  /** The series of the values with these indexes. */
  public M get(int a, int b) {
    return at(a * labels[1].size() + b);
  }

  /** The series of the values with these indexes. */
  public M get(int a, int b, int c) {
    return at((a * labels[1].size() + b) * labels[2].size() + c);
  }

  /** The series of the values with these indexes. */
  public M get(int a, int b, int c, int d) {
    return at(((a * labels[1].size() + b) * labels[2].size() + c) * labels[3].size() + d);
  }

  /** The series of this value, or of {@code other}. */
  public M of(String value) {
    return get(index(0, value));
  }

  /** The series of these values, or of {@code other}. */
  public M of(String first, String second) {
    return get(index(0, first), index(1, second));
  }

  /** Index of a label's value; one that is not admitted is dropped. */
  public int index(int label, String value) {
    int index = labels[label].index(value);
    if (index == labels[label].otherIndex()) {
      onDropped.accept(metric);
    }
    return index;
  }

  /** Makes all series, so that each is shown before anything is counted. */
  public Family<M> filled() {
    for (int i = 0; i < series.length(); i++) {
      M _ = at(i);
    }
    return this;
  }

  private M at(int index) {
    M found = series.get(index);
    if (found != null) {
      return found;
    }
    if (hasRoom()) {
      return make(index);
    }
    onDropped.accept(metric);
    return other();
  }

  private boolean hasRoom() {
    int before = made.get();
    while (before < most) {
      if (made.compareAndSet(before, before + 1)) {
        if (room == Room.RESERVED || budget.take(each)) {
          return true;
        }
        made.decrementAndGet();
        return false;
      }
      before = made.get();
    }
    return false;
  }

  /** The series for everything that found no room. */
  private M other() {
    M found = overflow.get();
    if (found != null) {
      return found;
    }
    List<Tag> tags =
        metric.facts().labels().stream().map(label -> Tag.of(label, LabelValues.OTHER)).toList();
    M one = maker.apply(tags);
    overflow.set(one);
    return one;
  }

  /**
   * The registry gives the same meter for the same name and tags, so a race makes no second one.
   */
  private M make(int index) {
    List<Tag> tags = new ArrayList<>();
    int rest = index;
    for (int i = labels.length - 1; i >= 0; i--) {
      tags.addFirst(
          Tag.of(metric.facts().labels().get(i), labels[i].value(rest % labels[i].size())));
      rest /= labels[i].size();
    }
    M one = maker.apply(tags);
    series.set(index, one);
    return one;
  }

  /**
   * How many series there may be in all, for Prometheus pays for each of them in every process.
   * What is always there is reserved when the process starts; the rest goes to whatever is counted
   * first, and what finds no room is counted as {@code other}, for which each family has a place of
   * its own.
   */
  public static final class SeriesBudget {
    private final int most;
    private final AtomicInteger left;

    SeriesBudget(int most) {
      this.most = most;
      this.left = new AtomicInteger(most);
    }

    /** Room that is there for sure; for use before anything is counted. */
    public void reserve(int series) {
      if (left.addAndGet(-series) < 0) {
        throw new IllegalStateException("expected at most " + most + " series to be reserved");
      }
    }

    /** Room for so many, if there is any left. */
    public boolean take(int series) {
      int before = left.get();
      while (before >= series) {
        if (left.compareAndSet(before, before - series)) {
          return true;
        }
        before = left.get();
      }
      return false;
    }
  }
}
