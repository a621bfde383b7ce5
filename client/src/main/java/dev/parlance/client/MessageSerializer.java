package dev.parlance.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Messages of the protocol as JSON for programs: all members of a message in its order, null where
 * it does not say. Other than in Protobuf's own mapping numbers are numbers, constants are words
 * ({@code completed}), bytes are hex and signed notes are the texts that they are.
 */
public final class MessageSerializer extends StdSerializer<Message> {
  private static final String NOTE = "note";

  private MessageSerializer() {
    super(Message.class);
  }

  /** What a mapper needs to write messages, wherever they stand. */
  public static JacksonModule module() {
    return new SimpleModule("messages").addSerializer(Message.class, new MessageSerializer());
  }

  @Override
  public void serialize(Message message, JsonGenerator out, SerializationContext context) {
    out.writeStartObject(message);
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      out.writeName(field.getJsonName());
      if (field.isRepeated() || message.hasField(field)) {
        out.writePOJO(member(message, field));
      } else {
        out.writeNull();
      }
    }
    out.writeEndObject();
  }

  private static Object member(Message message, FieldDescriptor field) {
    Object value = message.getField(field);
    if (field.isMapField()) {
      Map<String, Object> members = new TreeMap<>();
      for (Object entry : (List<?>) value) {
        Message pair = (Message) entry;
        List<FieldDescriptor> both = pair.getDescriptorForType().getFields();
        members.put(
            pair.getField(both.getFirst()).toString(), plain("", pair.getField(both.getLast())));
      }
      return members;
    }
    if (value instanceof List<?> all) {
      return all.stream().map(one -> plain(field.getName(), one)).toList();
    }
    return plain(field.getName(), value);
  }

  private static Object plain(String name, Object value) {
    return switch (value) {
      case ByteString bytes ->
          name.equals(NOTE) ? bytes.toStringUtf8() : HexFormat.of().formatHex(bytes.toByteArray());
      case EnumValueDescriptor constant -> word(constant.getName());
      default -> value;
    };
  }

  /** The last word of a constant's name; {@code unknown} for one that says nothing. */
  public static String word(String constant) {
    String word = constant.substring(constant.lastIndexOf('_') + 1);
    return word.equals("UNSPECIFIED") || word.equals("UNRECOGNIZED")
        ? "unknown"
        : word.toLowerCase(Locale.ROOT);
  }
}
