package dev.parlance.console.login;

import dev.parlance.service.Result;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * ID tokens of OpenID Connect: a JSON Web Signature (RFC 7515) of the algorithms {@code RS256} or
 * {@code ES256}, and the claims that say for whom it is. An algorithm of any other name, {@code
 * none} above all, is refused before a key is looked for.
 */
final class IdTokens {
  private static final int MAX_CHARACTERS = 65_536;
  private static final int MIN_RSA_BITS = 2_048;
  private static final long LEEWAY_S = 60;

  private IdTokens() {}

  /**
   * What a token must say.
   *
   * @param nowS seconds since the epoch
   */
  record Expected(String issuer, String clientId, String nonce, long nowS) {}

  /** The claims of a token that is signed by one of these keys and says what it must. */
  static Result<JsonNode> verify(String token, JsonNode keys, Expected expected) {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3 || token.length() > MAX_CHARACTERS) {
      return refused("it is no compact signature");
    }
    try {
      JsonNode header = json(parts[0]);
      Optional<PublicKey> key = key(keys, header);
      if (key.isEmpty()) {
        return refused("no key of the issuer fits it");
      }
      byte[] signed = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
      if (!isSigned(header.path("alg").asString(""), key.get(), signed, decode(parts[2]))) {
        return refused("its signature is bad");
      }
      JsonNode claims = json(parts[1]);
      Optional<String> problem = problem(claims, expected);
      return problem.isPresent() ? refused(problem.get()) : Result.done(claims);
    } catch (GeneralSecurityException | JacksonException | IllegalArgumentException _) {
      return refused("it cannot be read");
    }
  }

  private static Result<JsonNode> refused(String why) {
    return Result.refused(Result.Kind.DENIED, "token_refused", "the issuer's token: " + why);
  }

  private static JsonNode json(String part) {
    return JsonMapper.shared().readTree(decode(part));
  }

  private static byte[] decode(String part) {
    return Base64.getUrlDecoder().decode(part);
  }

  private static Optional<PublicKey> key(JsonNode keys, JsonNode header)
      throws GeneralSecurityException {
    String algorithm = header.path("alg").asString("");
    String type =
        switch (algorithm) {
          case "RS256" -> "RSA";
          case "ES256" -> "EC";
          default -> "";
        };
    if (type.isEmpty() || header.has("crit")) {
      return Optional.empty();
    }
    for (JsonNode key : keys.path("keys")) {
      boolean fits =
          key.path("kty").asString("").equals(type)
              && key.path("kid").asString("").equals(header.path("kid").asString(""))
              && key.path("use").asString("sig").equals("sig")
              && key.path("alg").asString(algorithm).equals(algorithm);
      if (fits) {
        return type.equals("RSA") ? rsa(key) : ec(key);
      }
    }
    return Optional.empty();
  }

  private static Optional<PublicKey> rsa(JsonNode key) throws GeneralSecurityException {
    BigInteger modulus = number(key, "n");
    return modulus.bitLength() < MIN_RSA_BITS
        ? Optional.empty()
        : Optional.of(
            KeyFactory.getInstance("RSA")
                .generatePublic(new RSAPublicKeySpec(modulus, number(key, "e"))));
  }

  private static Optional<PublicKey> ec(JsonNode key) throws GeneralSecurityException {
    if (!key.path("crv").asString("").equals("P-256")) {
      return Optional.empty();
    }
    AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
    curve.init(new ECGenParameterSpec("secp256r1"));
    return Optional.of(
        KeyFactory.getInstance("EC")
            .generatePublic(
                new ECPublicKeySpec(
                    new ECPoint(number(key, "x"), number(key, "y")),
                    curve.getParameterSpec(ECParameterSpec.class))));
  }

  private static BigInteger number(JsonNode key, String name) {
    return new BigInteger(1, decode(key.path(name).asString("")));
  }

  private static boolean isSigned(String algorithm, PublicKey key, byte[] signed, byte[] signature)
      throws GeneralSecurityException {
    Signature verifier =
        Signature.getInstance(
            algorithm.equals("RS256") ? "SHA256withRSA" : "SHA256withECDSAinP1363Format");
    verifier.initVerify(key);
    verifier.update(signed);
    return verifier.verify(signature);
  }

  private static Optional<String> problem(JsonNode claims, Expected expected) {
    JsonNode audience = claims.path("aud");
    boolean ours =
        audience.isString()
            ? audience.stringValue().equals(expected.clientId())
            : audience.valueStream().anyMatch(one -> one.asString("").equals(expected.clientId()));
    boolean several = audience.isArray() && audience.size() > 1;
    if (!claims.path("iss").asString("").equals(expected.issuer())) {
      return Optional.of("it names another issuer");
    }
    if (!ours
        || ((several || claims.has("azp"))
            && !claims.path("azp").asString("").equals(expected.clientId()))) {
      return Optional.of("it is for somebody else");
    }
    if (!claims.path("exp").isNumber()
        || claims.path("exp").asLong() + LEEWAY_S <= expected.nowS()
        || claims.path("nbf").asLong(0) - LEEWAY_S > expected.nowS()
        || claims.path("iat").asLong(0) - LEEWAY_S > expected.nowS()) {
      return Optional.of("it does not hold now; do both clocks run right?");
    }
    return claims.path("nonce").asString("").equals(expected.nonce())
        ? Optional.empty()
        : Optional.of("it answers another log-in");
  }
}
