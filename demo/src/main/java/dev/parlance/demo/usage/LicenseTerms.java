package dev.parlance.demo.usage;

import java.util.List;
import java.util.Optional;

/** The words of the license domain, each with the ways in which it can be understood. */
public final class LicenseTerms {
  /** Name of the domain. */
  public static final String DOMAIN = "license";

  /**
   * A term.
   *
   * @param text its words
   * @param gloss what it is about
   * @param alternative another term that says nearly the same, if there is one
   * @param readings the ways to understand it; the first is the usual one
   */
  public record Word(
      String text, String gloss, Optional<String> alternative, List<TermReading> readings) {
    /** Copies the list. */
    public Word {
      readings = List.copyOf(readings);
    }
  }

  private static final List<Word> WORDS =
      List.of(
          new Word(
              "contribution",
              "something given to the project so that it is taken in",
              Optional.of("contributor"),
              List.of(
                  new TermReading(
                      "code taken in",
                      List.of("opens a pull request", "for inclusion"),
                      List.of("nobody knows what for")),
                  new TermReading(
                      "anything sent in",
                      List.of(
                          "opens a pull request",
                          "for inclusion",
                          "report of a crash",
                          "not meant to be taken in"),
                      List.of("nobody knows what for")))),
          word(
              "contributor",
              "who gives something to the project so that it is taken in",
              List.of("opens a pull request", "for inclusion"),
              List.of("nobody knows what for")),
          word(
              "derivative work",
              "a work that is based on the program and changes it",
              List.of("publishes the translation", "rewrites half of the engine"),
              List.of()),
          new Word(
              "notice",
              "a statement of who made the program that goes along with it",
              Optional.empty(),
              List.of(
                  new TermReading(
                      "any attribution",
                      List.of("NOTICE file", "copyright header", "list of authors"),
                      List.of()),
                  new TermReading(
                      "the file of that name",
                      List.of("NOTICE file"),
                      List.of("without changing a byte")))),
          new Word(
              "trademark use",
              "use of the project's name or logo that needs leave",
              Optional.empty(),
              List.of(
                  new TermReading(
                      "trading under it",
                      List.of("prints the project's logo", "names its product after"),
                      List.of()),
                  new TermReading(
                      "any mention",
                      List.of(
                          "prints the project's logo", "names its product after", "A blog names"),
                      List.of()))),
          word(
              "patent claim",
              "somebody asserts a patent against the work",
              List.of("over a patent", "infringes its patent"),
              List.of("may hold a patent")),
          word(
              "liability",
              "somebody answers, or is to answer, for damage or for fitness",
              List.of("a warranty for a fee", "for damages"),
              List.of()),
          word(
              "source form",
              "the form in which people change the program",
              List.of("the files that its developers edit"),
              List.of()),
          word(
              "object form",
              "any form that comes out of a mechanical translation",
              List.of("compiled class files", "burnt into their memory"),
              List.of()));

  private LicenseTerms() {}

  private static Word word(String text, String gloss, List<String> applies, List<String> unclear) {
    return new Word(
        text, gloss, Optional.empty(), List.of(new TermReading("usual", applies, unclear)));
  }

  /** All terms. */
  public static List<Word> words() {
    return WORDS;
  }

  /** The term with these words. */
  public static Optional<Word> word(String text) {
    return WORDS.stream().filter(word -> word.text().equals(text)).findFirst();
  }
}
