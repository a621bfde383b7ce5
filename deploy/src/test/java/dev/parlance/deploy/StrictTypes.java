package dev.parlance.deploy;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;

/**
 * Holds objects against the classes that the Kubernetes project generates from its OpenAPI
 * document: first by their own check (unknown and missing fields), then field by field, because
 * that check lets texts pass where numbers and truth values belong.
 */
@NullMarked
final class StrictTypes {
  private static final String MODELS = "io.kubernetes.client.openapi.models.";

  private final List<String> problems = new ArrayList<>();

  private StrictTypes() {}

  /** What is wrong with an object; empty if nothing. */
  static List<String> problems(KubeResource manifest) {
    StrictTypes types = new StrictTypes();
    Class<?> model;
    try {
      model = Class.forName(MODELS + name(manifest));
    } catch (ClassNotFoundException _) {
      return List.of("no such kind: " + manifest);
    }
    try {
      model
          .getMethod("validateJsonElement", JsonElement.class)
          .invoke(null, JsonParser.parseString(manifest.tree().toString()));
    } catch (InvocationTargetException e) {
      types.problems.add(String.valueOf(e.getCause()));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    types.check("", model, manifest.tree());
    return types.problems;
  }

  /** {@code apps/v1 Deployment} is V1Deployment, {@code autoscaling/v2 ...} V2. */
  private static String name(KubeResource manifest) {
    String version = manifest.apiVersion().replaceFirst(".*/", "");
    return version.substring(0, 1).toUpperCase(java.util.Locale.ROOT)
        + version.substring(1)
        + manifest.kind();
  }

  private void check(String at, Type type, JsonNode value) {
    if (type instanceof ParameterizedType generic) {
      if (generic.getRawType() == List.class) {
        expect(at, value.isArray(), "a list", value);
        for (int i = 0; i < value.size() && value.isArray(); i++) {
          check(at + "/" + i, generic.getActualTypeArguments()[0], value.path(i));
        }
      } else if (generic.getRawType() == Map.class) {
        expect(at, value.isObject(), "a mapping", value);
        value
            .properties()
            .forEach(member ->
                check(
                    at + "/" + member.getKey(),
                    generic.getActualTypeArguments()[1],
                    member.getValue()));
      } else {
        problems.add(at + ": a type this check does not know: " + generic);
      }
    } else if (type == String.class) {
      expect(at, value.isString(), "text", value);
    } else if (type == byte[].class) {
      // Of the JDK's own check of base64 only the alphabet matters here.
      expect(at, value.asString("!").matches("[A-Za-z0-9+/]*={0,2}"), "base64", value);
    } else if (type == Integer.class || type == Long.class) {
      expect(at, value.isIntegralNumber(), "a whole number", value);
    } else if (type == Boolean.class) {
      expect(at, value.isBoolean(), "true or false", value);
    } else if (type == Double.class) {
      expect(at, value.isNumber(), "a number", value);
    } else if (type == IntOrString.class) {
      expect(at, value.isIntegralNumber() || value.isString(), "a number or a name", value);
    } else if (type == Quantity.class) {
      expect(at, isQuantity(value), "a quantity", value);
    } else if (type == OffsetDateTime.class) {
      expect(at, value.isString(), "a time", value);
    } else if (type != Object.class && type instanceof Class<?> model) {
      object(at, model, value);
    }
  }

  private static boolean isQuantity(JsonNode value) {
    try {
      return (value.isString() || value.isNumber())
          && Quantity.fromString(value.asString()).getNumber().signum() >= 0;
    } catch (RuntimeException _) {
      return false;
    }
  }

  private void object(String at, Class<?> model, JsonNode value) {
    if (!value.isObject()) {
      expect(at, false, "a mapping (" + model.getSimpleName() + ")", value);
      return;
    }
    Map<String, Type> fields = fields(model);
    value
        .properties()
        .forEach(member -> {
          Type type = fields.get(member.getKey());
          if (type == null) {
            problems.add(at + "/" + member.getKey() + ": unknown in " + model.getSimpleName());
          } else {
            check(at + "/" + member.getKey(), type, member.getValue());
          }
        });
    for (String needed : needed(model)) {
      if (!value.has(needed)) {
        problems.add(at + "/" + needed + ": missing in " + model.getSimpleName());
      }
    }
  }

  private static Map<String, Type> fields(Class<?> model) {
    Map<String, Type> fields = new LinkedHashMap<>();
    for (Field field : model.getDeclaredFields()) {
      SerializedName name = field.getAnnotation(SerializedName.class);
      if (name != null) {
        fields.put(name.value(), field.getGenericType());
      }
    }
    if (fields.isEmpty()) {
      throw new IllegalStateException(model + " is no model of Kubernetes");
    }
    return fields;
  }

  private static Set<String> needed(Class<?> model) {
    try {
      Set<String> names = new java.util.HashSet<>();
      for (Object name : (Set<?>) model.getField("openapiRequiredFields").get(null)) {
        names.add((String) name);
      }
      return names;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private void expect(String at, boolean holds, String what, JsonNode value) {
    if (!holds) {
      problems.add(at + ": got " + value + ", expected " + what);
    }
  }
}
