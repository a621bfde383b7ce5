package dev.parlance.console.login;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** An issuer of OpenID Connect on loopback; a browser that comes is logged in at once. */
public final class FakeIssuer implements AutoCloseable {
  public static final String CLIENT = "parlance-console";

  private final HttpServer server;
  private final KeyPair rsa;
  private final KeyPair ec;
  private final Map<String, Map<String, String>> codes = new LinkedHashMap<>();

  /** Changes what a token says, before it is signed. */
  public volatile UnaryOperator<ObjectNode> claims = one -> one;

  /** Changes a token after it was signed. */
  public volatile UnaryOperator<String> token = one -> one;

  public volatile String algorithm = "RS256";

  public FakeIssuer() throws IOException, GeneralSecurityException {
    KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
    keys.initialize(2048);
    rsa = keys.generateKeyPair();
    KeyPairGenerator curve = KeyPairGenerator.getInstance("EC");
    curve.initialize(256);
    ec = curve.generateKeyPair();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/.well-known/openid-configuration", exchange -> answer(exchange, metadata()));
    server.createContext("/keys", exchange -> answer(exchange, keys()));
    server.createContext("/token", this::token);
    server.start();
  }

  public URI issuer() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private ObjectNode metadata() {
    ObjectNode said = JsonMapper.shared().createObjectNode().put("issuer", issuer().toString());
    return said.put("authorization_endpoint", issuer() + "/authorize")
        .put("token_endpoint", issuer() + "/token")
        .put("jwks_uri", issuer() + "/keys");
  }

  private ObjectNode keys() {
    ObjectNode all = JsonMapper.shared().createObjectNode();
    RSAPublicKey one = (RSAPublicKey) rsa.getPublic();
    ECPublicKey other = (ECPublicKey) ec.getPublic();
    var list = all.putArray("keys");
    list.addObject()
        .put("kty", "RSA")
        .put("kid", "r")
        .put("n", number(one.getModulus().toByteArray()))
        .put("e", number(one.getPublicExponent().toByteArray()));
    list.addObject()
        .put("kty", "EC")
        .put("kid", "e")
        .put("crv", "P-256")
        .put("x", number(other.getW().getAffineX().toByteArray()))
        .put("y", number(other.getW().getAffineY().toByteArray()));
    return all;
  }

  private static String number(byte[] bytes) {
    int from = bytes.length > 1 && bytes[0] == 0 ? 1 : 0;
    return base64(Arrays.copyOfRange(bytes, from, bytes.length));
  }

  /** What a browser comes back with that was sent there. */
  public Map<String, String> logIn(String location) {
    Map<String, String> asked = form(URI.create(location).getRawQuery());
    String code = "code-" + codes.size();
    codes.put(code, asked);
    Map<String, String> back = new LinkedHashMap<>();
    back.put("code", code);
    back.put("state", asked.getOrDefault("state", ""));
    back.put("iss", issuer().toString());
    return back;
  }

  private void token(HttpExchange exchange) throws IOException {
    Map<String, String> sent =
        form(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    Map<String, String> asked = codes.remove(sent.getOrDefault("code", ""));
    String challenge = base64(Secrets.sha256(sent.getOrDefault("code_verifier", "")));
    if (asked == null
        || !challenge.equals(asked.get("code_challenge"))
        || !"S256".equals(asked.get("code_challenge_method"))
        || !sent.getOrDefault("redirect_uri", "").equals(asked.get("redirect_uri"))) {
      exchange.sendResponseHeaders(400, -1);
      exchange.close();
      return;
    }
    ObjectNode said = JsonMapper.shared().createObjectNode();
    long nowS = System.currentTimeMillis() / 1000;
    said.put("iss", issuer().toString()).put("aud", CLIENT).put("sub", "42");
    said.put("email", "ada@example.org").put("iat", nowS).put("exp", nowS + 300);
    said.put("nonce", asked.getOrDefault("nonce", ""));
    said.putArray("groups").add("reviewers").add("staff");
    try {
      String signed = token.apply(sign(claims.apply(said)));
      answer(exchange, JsonMapper.shared().createObjectNode().put("id_token", signed));
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private String sign(ObjectNode said) throws GeneralSecurityException {
    boolean isRsa = algorithm.equals("RS256");
    String header =
        JsonMapper.shared()
            .createObjectNode()
            .put("alg", algorithm)
            .put("kid", isRsa ? "r" : "e")
            .toString();
    String both =
        base64(header.getBytes(StandardCharsets.UTF_8))
            + "."
            + base64(said.toString().getBytes(StandardCharsets.UTF_8));
    Signature signer =
        Signature.getInstance(isRsa ? "SHA256withRSA" : "SHA256withECDSAinP1363Format");
    signer.initSign(isRsa ? rsa.getPrivate() : ec.getPrivate());
    signer.update(both.getBytes(StandardCharsets.US_ASCII));
    return both + "." + base64(signer.sign());
  }

  static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static Map<String, String> form(String text) {
    Map<String, String> all = new LinkedHashMap<>();
    for (String pair : text.split("&", -1)) {
      int equals = pair.indexOf('=');
      all.put(
          pair.substring(0, equals),
          URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
    }
    return all;
  }

  private static void answer(HttpExchange exchange, ObjectNode body) {
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
