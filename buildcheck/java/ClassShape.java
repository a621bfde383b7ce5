import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.reflect.AccessFlag;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What other classes can see of a class when they are compiled: its flags, supertypes, members that
 * are not private, and the values of constants. Bodies of methods are none of it.
 *
 * @param name internal name
 * @param hash of its shape; equal shapes, equal hashes
 */
record ClassShape(String name, String hash) {
  /** The shape of a class; empty for one that only the code around it can name. */
  static Optional<ClassShape> of(byte[] bytes) {
    ClassModel model = ClassFile.of().parse(bytes);
    if (model.findAttribute(Attributes.enclosingMethod()).isPresent()
        || model.flags().has(AccessFlag.SYNTHETIC)) {
      return Optional.empty();
    }
    List<String> parts = new ArrayList<>();
    parts.add(model.flags().flagsMask() + " " + model.superclass().map(Object::toString));
    model.interfaces().forEach(type -> parts.add("implements " + type.asInternalName()));
    model
        .findAttribute(Attributes.signature())
        .ifPresent(signature -> parts.add("signature " + signature.signature().stringValue()));
    model
        .findAttribute(Attributes.permittedSubclasses())
        .ifPresent(permitted ->
            permitted
                .permittedSubclasses()
                .forEach(type -> parts.add("permits " + type.asInternalName())));
    model
        .findAttribute(Attributes.record())
        .ifPresent(components ->
            components
                .components()
                .forEach(part -> parts.add("component " + part.name() + " " + part.descriptor())));
    model
        .findAttribute(Attributes.innerClasses())
        .ifPresent(inner ->
            inner.classes().stream()
                .filter(type -> isMember(model, type))
                .forEach(type ->
                    parts.add(
                        "inner " + type.innerClass().asInternalName() + " " + type.flagsMask())));
    // order of methods and fields is none of what others see
    List<String> members = new ArrayList<>();
    for (FieldModel field : model.fields()) {
      if (!field.flags().has(AccessFlag.PRIVATE)) {
        members.add(
            "field "
                + field.flags().flagsMask()
                + " "
                + field.fieldName()
                + " "
                + field.fieldType()
                + field
                    .findAttribute(Attributes.signature())
                    .map(signature -> " " + signature.signature().stringValue())
                    .orElse("")
                + field
                    .findAttribute(Attributes.constantValue())
                    .map(value -> " = " + value.constant().constantValue())
                    .orElse(""));
      }
    }
    for (MethodModel method : model.methods()) {
      if (!method.flags().has(AccessFlag.PRIVATE) && !method.flags().has(AccessFlag.SYNTHETIC)) {
        members.add(
            "method "
                + method.flags().flagsMask()
                + " "
                + method.methodName()
                + " "
                + method.methodType()
                + method
                    .findAttribute(Attributes.signature())
                    .map(signature -> " " + signature.signature().stringValue())
                    .orElse("")
                + method
                    .findAttribute(Attributes.exceptions())
                    .map(thrown -> " throws " + thrown.exceptions())
                    .orElse(""));
      }
    }
    Collections.sort(members);
    parts.addAll(members);
    // but that of enum constants is
    model.fields().stream()
        .filter(field -> field.flags().has(AccessFlag.ENUM))
        .forEach(field -> parts.add("constant " + field.fieldName()));
    return Optional.of(new ClassShape(model.thisClass().asInternalName(), hash(parts.toString())));
  }

  private static boolean isMember(ClassModel model, InnerClassInfo type) {
    return !type.has(AccessFlag.PRIVATE)
        && type.outerClass()
            .filter(outer -> outer.asInternalName().equals(model.thisClass().asInternalName()))
            .isPresent();
  }

  static String hash(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
