package dev.parlance.policy.commit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Rounds for tests. */
final class Rounds {
  private Rounds() {}

  /** Agents {@code a00}, {@code a01}, and so on. */
  static List<String> members(int count) {
    List<String> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      members.add(agent(i));
    }
    return members;
  }

  static String agent(int index) {
    return (index < 10 ? "a0" : "a") + index;
  }

  static RoundSpec spec(RoundId id, int members, int faults, int dim, double cosMin) {
    return new RoundSpec(
        id.bound(), faults, members(members), new Encoding("enc", dim, cosMin), 0, true);
  }

  /** A proposal whose text is its vector's. */
  static Proposal proposal(String agent, String verdict, double... vector) {
    return proposal(agent, verdict, "text", vector);
  }

  static Proposal proposal(String agent, String verdict, String text, double[] vector) {
    Meaning meaning =
        QuantVector.of(vector, vector.length)
            .<Meaning>map(Meaning.Vector::new)
            .orElse(Meaning.MALFORMED);
    return new Proposal(agent, verdict, sha256(text), meaning);
  }

  static Proposal unencoded(String agent, String verdict, String text) {
    return new Proposal(agent, verdict, sha256(text), Meaning.UNENCODED);
  }

  static Proposal malformed(String agent, String verdict, String text) {
    return new Proposal(agent, verdict, sha256(text), Meaning.MALFORMED);
  }

  static String sha256(String text) {
    return hexSha256(text.getBytes(StandardCharsets.UTF_8));
  }

  static String hexSha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
