package dev.parlance.wire.openai;

import dev.parlance.policy.text.Utf8Span;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells system text that only says how a model is to behave from text that holds something to
 * answer from. The first is no evidence: a greeting would have to be found in it.
 *
 * <p>Every sentence has to be about the model or about its answers, and none may hold a number. A
 * prompt of which one sentence is about anything else is evidence as a whole, so that what is said
 * there is still held against the answer.
 */
final class BehaviorPrompt {
  /** Longest text that is looked at; what is longer is something to answer from. */
  private static final int MAX_BYTES = 4096;

  private static final Pattern SENTENCE_END =
      Pattern.compile("(?<=[.!?\u3002\uff01\uff1f])\\s*|\\R+");
  private static final Pattern BULLET = Pattern.compile("^[\\s#*>\u2022-]+");
  private static final Pattern WORD = Pattern.compile("[^\\p{L}\\p{M}']+");

  /** How sentences begin that tell somebody who or what it is. */
  private static final List<String> ROLES =
      List.of(
          "you are ",
          "you're ",
          "you act ",
          "you play ",
          "act as ",
          "act like ",
          "your role ",
          "your task ",
          "your job ",
          "your goal ",
          "your name ",
          "your purpose ",
          "your tone ",
          "du bist ",
          "sie sind ",
          "deine aufgabe ",
          "ihre aufgabe ",
          "tu es ",
          "vous \u00eates ",
          "eres ",
          "usted es ",
          "sei ",
          "tu sei ",
          "voc\u00ea \u00e9 ",
          "je bent ",
          "u bent ",
          "\u4f60\u662f",
          "\u60a8\u662f",
          "\u3042\u306a\u305f\u306f");

  /** What an order to a model is about: speaking, and those it speaks with. */
  private static final Set<String> OF_SPEECH =
      words(
          """
          answer answers answering respond responds response responses reply replies speak speaks
          write say ask asks help assist greet cite quote summarize translate explain refuse decline
          question questions user users customer customers caller conversation chat topic tone
          language english german french spanish italian concise concisely brief briefly short
          polite politely friendly helpful helps honest kind clear clearly formal informal know
          unsure reveal instruction instructions prompt markdown emoji emojis sentence sentences
          paragraph paragraphs bullets
          antworte antworten antworte antwort sprich sprechen hilf helfen frage fragen nutzer kunde
          kunden deutsch englisch freundlich h\u00f6flich kurz knapp sachlich duze sieze
          r\u00e9ponds r\u00e9pondez r\u00e9ponse poli utilisateur fran\u00e7ais bref
          responde responda respuesta usuario cort\u00e9s espa\u00f1ol breve
          rispondi risposta utente gentile italiano conciso
          """);

  private static final Set<String> ORDERS =
      words(
          """
          always never do don't please be use keep avoid only if when stay remain make ensure give
          provide answer respond reply speak write say ask help assist greet cite quote summarize
          translate explain refuse decline you
          immer nie bitte sei seien verwende nutze bleib wenn antworte antworten sprich hilf duze
          sieze
          sois soyez toujours jamais r\u00e9ponds r\u00e9pondez utilise
          s\u00e9 sea siempre nunca responde responda usa
          rispondi sempre mai usa
          """);

  /** Longest heading that says nothing, in words. */
  private static final int HEADING_WORDS = 3;

  private BehaviorPrompt() {}

  private static Set<String> words(String text) {
    return Set.copyOf(List.of(text.strip().split("\\s+", -1)));
  }

  /** True if a system text has nothing to answer from. */
  static boolean isOne(Utf8Span text) {
    if (text.length() > MAX_BYTES) {
      return false;
    }
    boolean any = false;
    for (String sentence : SENTENCE_END.split(text.toString(), -1)) {
      String plain = BULLET.matcher(sentence).replaceFirst("").strip().toLowerCase(Locale.ROOT);
      if (plain.codePoints().noneMatch(Character::isLetterOrDigit)) {
        continue;
      }
      if (plain.codePoints().anyMatch(Character::isDigit)
          || !isBehavior(plain, sentence.startsWith("#"))) {
        return false;
      }
      any = true;
    }
    return any;
  }

  private static boolean isBehavior(String sentence, boolean heading) {
    if (ROLES.stream().anyMatch(sentence::startsWith)) {
      return true;
    }
    String[] words = WORD.split(sentence, -1);
    if (heading && words.length <= HEADING_WORDS) {
      return true;
    }
    if (!ORDERS.contains(words[0])) {
      return false;
    }
    for (String word : words) {
      if (OF_SPEECH.contains(word)) {
        return true;
      }
    }
    return false;
  }
}
