package dev.parlance.proxy.admin;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parlance.service.Result;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signed links to one item each, for people who have no other way in: {@code ID.ROLE.UNTIL.MAC},
 * where UNTIL is the time at which it expires, in milliseconds since the epoch, and MAC an
 * HMAC-SHA256 over the rest in base64url. The key is made of the admin token, so a new token ends
 * all links. A link names no words and no person; whoever has it is let in.
 */
final class ReviewLinks {
  /** Who may only look, and who may decide. */
  static final List<String> ROLES = List.of("viewer", "reviewer");

  private static final String ALGORITHM = "HmacSHA256";
  private static final Pattern LINK =
      Pattern.compile(
          "(?<id>r-[0-9a-z]{1,40})[.](?<role>[a-z]{1,16})[.](?<until>[0-9]{1,15})"
              + "[.](?<mac>[A-Za-z0-9_-]{43})");

  private final SecretKeySpec key;
  private final LongSupplier clockMs;

  /**
   * A link that holds.
   *
   * @param id the item
   * @param role one of {@link #ROLES}
   * @param untilMs when it expires, in milliseconds since the epoch
   */
  record Link(String id, String role, long untilMs) {
    boolean mayDecide() {
      return role.equals("reviewer");
    }

    private String text() {
      return id + "." + role + "." + untilMs;
    }
  }

  ReviewLinks(AdminToken token, LongSupplier clockMs) {
    this.key =
        new SecretKeySpec(
            mac(new SecretKeySpec(token.text().getBytes(UTF_8), ALGORITHM), "review links"),
            ALGORITHM);
    this.clockMs = clockMs;
  }

  /** A link as text, for so long from now. */
  String issue(Link link) {
    return link.text() + "." + mac(link);
  }

  /** When a link expires that holds for so long from now. */
  long untilMs(long forMs) {
    return clockMs.getAsLong() + forMs;
  }

  /** The link, if it is one of ours and has not expired. */
  Result<Link> read(String text) {
    Matcher matcher = LINK.matcher(text);
    if (!matcher.matches()) {
      return refused("link_invalid", "expected a link of this sidecar");
    }
    Link link =
        new Link(
            matcher.group("id"), matcher.group("role"), Long.parseLong(matcher.group("until")));
    boolean isOurs =
        MessageDigest.isEqual(
            mac(link).getBytes(US_ASCII), matcher.group("mac").getBytes(US_ASCII));
    if (!isOurs || !ROLES.contains(link.role())) {
      return refused("link_invalid", "the link was not made by this sidecar, or was changed");
    }
    return link.untilMs() > clockMs.getAsLong()
        ? Result.done(link)
        : refused("link_expired", "the link has expired; ask for another one");
  }

  private static Result<Link> refused(String code, String message) {
    return Result.refused(Result.Kind.INVALID, code, message);
  }

  private String mac(Link link) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(mac(key, link.text()));
  }

  private static byte[] mac(SecretKeySpec key, String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(text.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }
}
