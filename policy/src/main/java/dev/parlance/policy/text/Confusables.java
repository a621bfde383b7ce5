package dev.parlance.policy.text;

import java.text.Normalizer;
import org.jspecify.annotations.Nullable;

/**
 * Letters of other alphabets, and Latin ones without marks beyond ASCII, that a reader takes for
 * letters of ASCII at a glance. It is no table of all confusable characters.
 */
public final class Confusables {
  /** Each small letter, then what it is taken for. */
  private static final String LETTERS =
      // Cyrillic
      "аaвbгrдdеeзeиuіiїiјjкkмmнhоoпnрpсcтtуyхxѕsһhԁdԛqԝwѵvьb"
          // Greek
          + "αaβbγyεeηnιiκkμuνvοoπnρpσoτtυuχxωwϲc"
          // Armenian
          + "զqհhոnսuօoցgյjտuքpլlւiպu"
          // Latin
          + "ıiɡgɑaɩiłløođdħhɴnʀrꜱsɢgʙbʜhɪiʟlᴀaᴄcᴅdᴇeᴊjᴋkᴍmᴏoᴘpᴛtᴜuᴠvᴡwᴢzʏyſs";

  private static final int PAGE = 64;
  private static final char[] @Nullable [] PAGES = new char[(0xFFFF + 1) / PAGE][];

  static {
    for (int i = 0; i < LETTERS.length(); i += 2) {
      char letter = LETTERS.charAt(i);
      char @Nullable [] page = PAGES[letter / PAGE];
      if (page == null) {
        page = new char[PAGE];
        PAGES[letter / PAGE] = page;
      }
      page[letter % PAGE] = LETTERS.charAt(i + 1);
    }
  }

  private Confusables() {}

  /** The letter of ASCII that a small letter is taken for, or the letter itself. */
  public static int plain(int letter) {
    char @Nullable [] page = letter <= 0xFFFF ? PAGES[letter / PAGE] : null;
    return page == null || page[letter % PAGE] == 0 ? letter : page[letter % PAGE];
  }

  /**
   * A name as it looks: small letters of ASCII for those that are taken for them, nothing for marks
   * and what nobody sees. Not for the message path.
   */
  public static String looks(String name) {
    StringBuilder looks = new StringBuilder(name.length());
    Normalizer.normalize(name, Normalizer.Form.NFKD)
        .codePoints()
        .filter(c -> Character.getType(c) != Character.NON_SPACING_MARK)
        .filter(c -> Character.getType(c) != Character.FORMAT && !NormalizedText.isUnseen(c))
        .map(c -> plain(Character.toLowerCase(c)))
        .forEach(looks::appendCodePoint);
    return looks.toString();
  }
}
