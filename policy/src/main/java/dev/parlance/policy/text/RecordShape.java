package dev.parlance.policy.text;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The components of a record type in the order of their declaration, for forms of records that are
 * the declaration itself: each is asked for, and a record is made of all.
 *
 * @param <T> the type
 */
public final class RecordShape<T> {
  private static final ClassValue<RecordShape<?>> SHAPES =
      new ClassValue<>() {
        @Override
        protected RecordShape<?> computeValue(Class<?> type) {
          return new RecordShape<>(type);
        }
      };

  private final List<Part> parts;
  private final Constructor<T> constructor;

  /**
   * One component.
   *
   * @param inner what a list or a value that may be missing holds, the key of a map; else {@code
   *     type}
   */
  public record Part(String name, Class<?> type, Type generic, Class<?> inner, Method accessor) {
    private static Part of(RecordComponent component) {
      Class<?> inner =
          component.getGenericType() instanceof ParameterizedType several
                  && several.getActualTypeArguments()[0] instanceof Class<?> first
              ? first
              : component.getType();
      component.getAccessor().setAccessible(true);
      return new Part(
          component.getName(),
          component.getType(),
          component.getGenericType(),
          inner,
          component.getAccessor());
    }

    /** What a record has there. */
    public Object of(Record record) {
      try {
        return Objects.requireNonNull(accessor.invoke(record));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("components of a record can be asked for", e);
      }
    }
  }

  private RecordShape(Class<T> type) {
    RecordComponent[] components = type.getRecordComponents();
    this.parts = Arrays.stream(components).map(Part::of).toList();
    try {
      constructor =
          type.getDeclaredConstructor(parts.stream().map(Part::type).toArray(Class<?>[]::new));
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every record has its canonical constructor", e);
    }
    constructor.setAccessible(true);
  }

  /** That of a type. */
  @SuppressWarnings("unchecked") // each type stands beside its own
  public static <T> RecordShape<T> of(Class<T> type) {
    return (RecordShape<T>) SHAPES.get(type);
  }

  /** The components. */
  public List<Part> parts() {
    return parts;
  }

  /**
   * A record of these values, one a component.
   *
   * @throws IllegalArgumentException where they are such as cannot be
   */
  public T make(Object... values) {
    try {
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof RuntimeException impossible
          ? impossible
          : new IllegalStateException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a record can be made", e);
    }
  }
}
