package dev.parlance.control.round;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Claims of many fields in wordings of people, from {@code claims/}: {@code calibration.txt}, with
 * which the comparison of texts was made, and {@code test.txt}, which has no sentence of it; {@code
 * paragraphs.txt} has such of several sentences, {@code voices.txt} such in the words of four
 * people each, without near wordings. A line begins with its kind: {@code @} a field, {@code =} a
 * claim, {@code ~} a near wording of it, {@code *} one in free words, {@code !} one with its
 * meaning turned, and how, {@code ?} a free one so turned.
 *
 * @param field what it is about
 * @param near the claim and near wordings of it
 * @param free the claim in other words
 * @param turned nearly the same words with another meaning
 * @param freelyTurned free wordings with another meaning
 */
record NaturalClaims(
    String field,
    List<String> near,
    List<String> free,
    List<String> turned,
    List<String> freelyTurned) {
  NaturalClaims {
    near = List.copyOf(near);
    free = List.copyOf(free);
    turned = List.copyOf(turned);
    freelyTurned = List.copyOf(freelyTurned);
  }

  /** The same with free wordings as those that turn the meaning. */
  NaturalClaims withFreelyTurned() {
    return new NaturalClaims(field, near, free, freelyTurned, freelyTurned);
  }

  /** The claims of a file. */
  static List<NaturalClaims> read(String file) {
    List<NaturalClaims> claims = new ArrayList<>();
    String field = "";
    List<String> near = new ArrayList<>();
    List<String> free = new ArrayList<>();
    List<String> turned = new ArrayList<>();
    List<String> freelyTurned = new ArrayList<>();
    for (String line : text(file).lines().filter(one -> !one.isBlank()).toList()) {
      String said = line.substring(2);
      switch (line.charAt(0)) {
        case '@', '=' -> {
          if (!near.isEmpty()) {
            claims.add(new NaturalClaims(field, near, free, turned, freelyTurned));
            near.clear();
            free.clear();
            turned.clear();
            freelyTurned.clear();
          }
          if (line.charAt(0) == '@') {
            field = said;
          } else {
            near.add(said);
          }
        }
        case '~' -> near.add(said);
        case '*' -> free.add(said);
        case '!' -> turned.add(said.substring(said.indexOf(": ") + 2));
        case '?' -> freelyTurned.add(said.substring(said.indexOf(": ") + 2));
        default -> throw new IllegalStateException("no line of claims: " + line);
      }
    }
    claims.add(new NaturalClaims(field, near, free, turned, freelyTurned));
    return claims;
  }

  private static String text(String file) {
    try (InputStream in = NaturalClaims.class.getResourceAsStream("claims/" + file)) {
      if (in == null) {
        throw new IllegalStateException("there are no claims " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
