package dev.parlance.demo.agent;

import io.a2a.spec.Message;
import io.a2a.spec.TextPart;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a message asks. The first line of the first text part is the question. Anything after it, in
 * that part or in further ones, is an instruction how to answer; it asks for a repair if it speaks
 * of citing or of keeping to the material.
 *
 * @param question the question, blank space folded; empty if there is no text
 * @param repairRequested true if the sender wants the last answer mended
 * @param namedPassages ids of pieces that the instruction names
 */
record LicenseQuestion(String question, boolean repairRequested, Set<String> namedPassages) {
  private static final Pattern LINE_END = Pattern.compile("\\R");
  private static final Pattern PASSAGE_ID = Pattern.compile("\\bc\\d{2,4}\\b");
  private static final Pattern REPAIR =
      Pattern.compile("\\b(?:cite|cites|citing|citation|only|ground|grounded|unsupported)\\b");

  LicenseQuestion {
    namedPassages = Set.copyOf(namedPassages);
  }

  static LicenseQuestion of(Message message) {
    List<String> texts =
        message.getParts().stream()
            .filter(TextPart.class::isInstance)
            .map(part -> ((TextPart) part).getText())
            .toList();
    String all = String.join("\n", texts).strip();
    Matcher end = LINE_END.matcher(all);
    int questionEnd = end.find() ? end.start() : all.length();
    String question = all.substring(0, questionEnd).replaceAll("\\s+", " ").strip();
    String instruction = all.substring(questionEnd).toLowerCase(Locale.ROOT);
    Set<String> named = new TreeSet<>();
    Matcher id = PASSAGE_ID.matcher(instruction);
    while (id.find()) {
      named.add(id.group());
    }
    boolean repair = !named.isEmpty() || REPAIR.matcher(instruction).find();
    return new LicenseQuestion(question, repair, named);
  }
}
