package dev.parlance.policy.commit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** What a commit binds (step 7): SHA-256 of a text that anybody can write down again. */
final class RoundDigest {
  private static final HexFormat HEX = HexFormat.of();

  private RoundDigest() {}

  /**
   * The digest of a commit.
   *
   * @param members who carries it, by agent in byte order
   * @param aggregate of a semantic commit; without one it is a verdict commit
   */
  static String of(
      RoundSpec spec,
      String verdict,
      Outcome.Count count,
      List<Proposal> members,
      Optional<QuantVector> aggregate) {
    Encoding encoding = spec.encoding();
    StringBuilder text = new StringBuilder(128 * (members.size() + 4));
    text.append("parlance-hcsc-1\n");
    line(text, "kind", aggregate.isPresent() ? "semantic_commit" : "verdict_commit");
    line(text, "round", spec.round());
    line(text, "n", Integer.toString(spec.size()));
    line(text, "f", Integer.toString(spec.faults()));
    line(text, "delivered", Integer.toString(count.delivered()));
    line(text, "encoder", encoding.encoder());
    line(text, "dim", Integer.toString(encoding.dim()));
    line(text, "cosMin", HEX.toHexDigits(Double.doubleToLongBits(encoding.cosMin())));
    line(text, "scale", Integer.toString(QuantVector.SCALE));
    line(text, "extraMargin", Integer.toString(spec.extraMargin()));
    line(text, "verdict", verdict);
    line(text, "support", Integer.toString(count.support()));
    line(text, "runnerUp", Integer.toString(count.runnerUp()));
    for (Proposal member : members) {
      line(text, "member", member.agent() + ":" + member.textSha256() + ":" + meaning(member));
    }
    aggregate.ifPresent(vector -> line(text, "aggregate", HEX.formatHex(vector.toBytes())));
    return HEX.formatHex(sha256(text.toString().getBytes(StandardCharsets.US_ASCII)));
  }

  private static void line(StringBuilder text, String key, String value) {
    text.append(key).append('=').append(value).append('\n');
  }

  private static String meaning(Proposal member) {
    return switch (member.meaning()) {
      case Meaning.Vector meaning -> HEX.formatHex(sha256(meaning.vector().toBytes()));
      case Meaning.Unencoded unencoded -> "none";
      case Meaning.Malformed malformed ->
          throw new IllegalStateException("a malformed proposal of " + member.agent() + " counts");
    };
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
