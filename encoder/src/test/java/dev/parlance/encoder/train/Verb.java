package dev.parlance.encoder.train;

/**
 * A verb, perhaps of several words, in the forms that the templates need.
 *
 * @param base "take apart"
 * @param third "takes apart"
 * @param participle "taken apart"
 * @param gerund "taking apart"
 */
record Verb(String base, String third, String participle, String gerund) {
  /**
   * Reads a verb: {@code repair}, {@code pay:paid} (past and participle), {@code give:gave:given}
   * (both), {@code ship!} (doubles its last letter), each perhaps with more words behind.
   */
  static Verb parse(String text) {
    String[] parts = text.strip().split(" ", 2);
    String rest = parts.length > 1 ? " " + parts[1] : "";
    String[] forms = parts[0].split(":", -1);
    boolean doubles = forms[0].endsWith("!");
    String head = doubles ? forms[0].substring(0, forms[0].length() - 1) : forms[0];
    String stem = doubles ? head + head.charAt(head.length() - 1) : head;
    String participle = forms.length > 1 ? forms[forms.length - 1] : past(stem);
    return new Verb(head + rest, third(head) + rest, participle + rest, gerund(stem) + rest);
  }

  private static String third(String head) {
    if (head.endsWith("y") && !isVowel(head.charAt(head.length() - 2))) {
      return head.substring(0, head.length() - 1) + "ies";
    }
    boolean hisses =
        head.endsWith("s")
            || head.endsWith("x")
            || head.endsWith("z")
            || head.endsWith("ch")
            || head.endsWith("sh")
            || head.endsWith("o");
    return head + (hisses ? "es" : "s");
  }

  private static String past(String stem) {
    if (stem.endsWith("e")) {
      return stem + "d";
    }
    if (stem.endsWith("y") && !isVowel(stem.charAt(stem.length() - 2))) {
      return stem.substring(0, stem.length() - 1) + "ied";
    }
    return stem + "ed";
  }

  private static String gerund(String stem) {
    return (stem.endsWith("e") && !stem.endsWith("ee")
            ? stem.substring(0, stem.length() - 1)
            : stem)
        + "ing";
  }

  private static boolean isVowel(char c) {
    return "aeiou".indexOf(c) >= 0;
  }
}
