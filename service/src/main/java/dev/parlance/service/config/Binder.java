package dev.parlance.service.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * From a document that the schema has seen to records: a component has the value of the key of its
 * name, or the schema's default. A component is a number, a flag, a text, a path, a constant by its
 * code, a type that {@link Types} has a reader for, a record, or an Optional, a list, a set or a
 * mapping of those.
 */
public final class Binder {
  private final Schema schema;
  private final Types types;
  private final Issues issues;
  private final Path baseDir;
  private final Map<String, JsonNode> defaults = new HashMap<>();

  /**
   * A binder of one document.
   *
   * @param baseDir the folder of the file, from which its paths go on
   */
  public Binder(Schema schema, Types types, Issues issues, Path baseDir) {
    this.schema = schema;
    this.types = types;
    this.issues = issues;
    this.baseDir = baseDir.toAbsolutePath().normalize();
  }

  /** The component stands under another key, because its name is no word of Java or says more. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.RECORD_COMPONENT)
  public @interface Key {
    /** The key. */
    String value();
  }

  /** The members of the component stand among those of the record around it. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.RECORD_COMPONENT)
  public @interface Inline {}

  /** The document as a mapping. */
  public Section root(JsonNode document) {
    return new Section(document, "", schema.tree(), this);
  }

  Schema schema() {
    return schema;
  }

  public Types types() {
    return types;
  }

  /** Defaults that hang on what else the document says, by place. */
  Map<String, JsonNode> defaults() {
    return defaults;
  }

  public Issues issues() {
    return issues;
  }

  public Path baseDir() {
    return baseDir;
  }

  <R> Optional<R> bind(Section section, Class<R> type) {
    Function<Section, ? extends Optional<?>> own = types.sections.get(type);
    if (own != null) {
      return own.apply(section).map(type::cast);
    }
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] parameters = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    boolean isWhole = true;
    for (int i = 0; i < components.length; i++) {
      RecordComponent component = components[i];
      parameters[i] = component.getType();
      Key key = component.getAnnotation(Key.class);
      Optional<?> value =
          component.isAnnotationPresent(Inline.class)
              ? inline(section, component)
              : value(
                  section,
                  key == null ? component.getName() : key.value(),
                  component.getGenericType());
      isWhole &= value.isPresent();
      if (value.isPresent()) {
        values[i] = value.get();
      }
    }
    return isWhole ? made(section, type, parameters, values) : Optional.empty();
  }

  private Optional<?> inline(Section section, RecordComponent component) {
    return component.getType() == Optional.class
        ? Optional.of(bind(section, raw(argument(component.getGenericType(), 0))))
        : bind(section, component.getType());
  }

  private <R> Optional<R> made(
      Section section, Class<R> type, Class<?>[] parameters, Object[] values) {
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(parameters);
      constructor.setAccessible(true);
      return Optional.of(constructor.newInstance(values));
    } catch (InvocationTargetException e) {
      if (!(e.getCause() instanceof IllegalArgumentException refusal)) {
        throw new IllegalStateException("a record that cannot be made: " + type, e);
      }
      // What else is wrong with its members says more.
      if (!issues.isBadWithin(section.pointer())) {
        issues.add(section.pointer(), String.valueOf(refusal.getMessage()));
      }
      return Optional.empty();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no record that can be bound: " + type, e);
    }
  }

  Optional<?> value(Section section, String key, Type type) {
    Class<?> raw = raw(type);
    if (raw == Optional.class) {
      return optional(section, key, argument(type, 0));
    }
    if (raw == List.class) {
      return items(section, key, raw(argument(type, 0)));
    }
    if (raw == Set.class) {
      return items(section, key, raw(argument(type, 0))).map(HashSet::new).map(Set::copyOf);
    }
    if (raw == Map.class || raw == SortedMap.class) {
      return members(section.section(key), argument(type, 1));
    }
    return isMapping(raw) ? bind(section.section(key), raw) : simple(section, key, raw);
  }

  /** True for what is said by a mapping, not by a text. */
  private boolean isMapping(Class<?> type) {
    return types.sections.containsKey(type) || (type.isRecord() && !types.texts.containsKey(type));
  }

  private Optional<?> simple(Section section, String key, Class<?> type) {
    if (type == OptionalDouble.class) {
      return Optional.of(section.decimal(key));
    }
    if (section.value(key).isMissingNode()) {
      return Optional.empty();
    }
    if (type == int.class) {
      return Optional.of(section.number(key));
    }
    if (type == long.class) {
      return Optional.of(section.bigNumber(key));
    }
    if (type == double.class) {
      return Optional.of(section.fraction(key));
    }
    if (type == boolean.class) {
      return Optional.of(section.flag(key));
    }
    if (type == Duration.class) {
      return Optional.of(Duration.of(section.bigNumber(key), unit(key)));
    }
    return type == Path.class
        ? section.path(key)
        : section.text(key).flatMap(text -> read(type, text, section.pointer(key)));
  }

  /** The unit that stands at the end of the name. */
  private static ChronoUnit unit(String key) {
    return key.endsWith("Days")
        ? ChronoUnit.DAYS
        : key.endsWith("Minutes") ? ChronoUnit.MINUTES : ChronoUnit.MILLIS;
  }

  Optional<?> read(Class<?> type, String text, String pointer) {
    if (type == String.class) {
      return Optional.of(text);
    }
    return type.isEnum()
        ? Arrays.stream(type.getEnumConstants())
            .filter(one -> types.code((Enum<?>) one).equals(text))
            .findFirst()
        : types.text(type).read(text, new Place(this, pointer));
  }

  private Optional<?> optional(Section section, String key, Type type) {
    boolean isThere = isMapping(raw(type)) ? section.has(key) : section.text(key).isPresent();
    Optional<?> value = isThere ? value(section, key, type) : Optional.empty();
    // an empty text is no path
    return isThere && value.isEmpty() && raw(type) != Path.class
        ? Optional.empty()
        : Optional.of(value);
  }

  Optional<List<?>> items(Section section, String key, Class<?> type) {
    List<Object> found = new ArrayList<>();
    if (type == Integer.class) {
      return Optional.of(section.numbers(key));
    }
    int expected;
    if (isMapping(type)) {
      List<Section> sections = section.sections(key);
      sections.forEach(one -> bind(one, type).ifPresent(found::add));
      expected = sections.size();
    } else {
      List<Section.Item> items = section.items(key);
      items.forEach(item -> read(type, item.text(), item.pointer()).ifPresent(found::add));
      expected = items.size();
    }
    return found.size() == expected ? Optional.of(found) : Optional.empty();
  }

  private Optional<Map<String, ?>> members(Section section, Type type) {
    Map<String, Object> found = new TreeMap<>();
    List<String> names = section.names();
    for (String name : names) {
      value(section, name, type).ifPresent(value -> found.put(name, value));
    }
    return found.size() == names.size() ? Optional.of(found) : Optional.empty();
  }

  private static Class<?> raw(Type type) {
    return (Class<?>) (type instanceof ParameterizedType some ? some.getRawType() : type);
  }

  private static Type argument(Type type, int index) {
    return ((ParameterizedType) type).getActualTypeArguments()[index];
  }

  /** Reads one type from text; says what is wrong where it is none. */
  @FunctionalInterface
  public interface TextReader<T> {
    Optional<T> read(String text, Place place);
  }

  /**
   * Where a text stands.
   *
   * @param binder of the document
   * @param pointer its place in the document
   */
  public record Place(Binder binder, String pointer) {
    public void problem(String message) {
      binder.issues.add(pointer, message);
    }

    /** The schema's example of such a text, or another. */
    String example(String otherwise) {
      return binder.schema.ruleAt(pointer).path("examples").path(0).asString(otherwise);
    }
  }

  /** The types of one program that are not bound component by component. */
  public static final class Types {
    private final Function<Enum<?>, String> code;
    private final Map<Class<?>, TextReader<?>> texts = new HashMap<>();
    private final Map<Class<?>, Function<Section, ? extends Optional<?>>> sections =
        new HashMap<>();

    /**
     * None yet.
     *
     * @param code how constants are written
     */
    public Types(Function<Enum<?>, String> code) {
      this.code = code;
    }

    /** A type that stands there as a text. */
    public <T> Types text(Class<T> type, TextReader<T> reader) {
      texts.put(type, reader);
      return this;
    }

    /**
     * A type that stands there as a text.
     *
     * @param expected what is expected of it
     */
    public <T> Types text(Class<T> type, Function<String, Optional<T>> reader, String expected) {
      return text(type, reader, expected, "");
    }

    /**
     * A type that stands there as a text.
     *
     * @param expected what is expected of it, before an example
     * @param example one, where the schema has none
     */
    public <T> Types text(
        Class<T> type, Function<String, Optional<T>> reader, String expected, String example) {
      return text(
          type,
          (text, place) -> {
            Optional<T> value = reader.apply(text);
            if (value.isEmpty()) {
              place.problem(
                  "got \""
                      + Quoted.line(text)
                      + "\", expected "
                      + expected
                      + (example.isEmpty() ? "" : place.example(example)));
            }
            return value;
          });
    }

    /** A type that is said by a mapping which is not its components. */
    public <T> Types section(Class<T> type, Function<Section, Optional<T>> reader) {
      sections.put(type, reader);
      return this;
    }

    String code(Enum<?> constant) {
      return code.apply(constant);
    }

    private TextReader<?> text(Class<?> type) {
      TextReader<?> reader = texts.get(type);
      if (reader == null) {
        throw new IllegalStateException("no reader of " + type);
      }
      return reader;
    }
  }
}
