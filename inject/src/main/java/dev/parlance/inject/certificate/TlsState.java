package dev.parlance.inject.certificate;

import dev.parlance.service.identity.Authority;
import dev.parlance.service.identity.KeyMaterial;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the replicas share in their Secret.
 *
 * @param authorities certificates of the authorities, the newest first; one or more
 * @param authority the newest, with its key
 * @param leaf the webhook's certificate
 */
record TlsState(List<X509Certificate> authorities, KeyMaterial authority, KeyMaterial leaf) {
  private static final String CA = "ca.crt";
  private static final String CA_KEY = "ca.key";
  private static final String CERT = "tls.crt";
  private static final String KEY = "tls.key";

  TlsState {
    authorities = List.copyOf(authorities);
    if (authorities.isEmpty() || !authorities.getFirst().equals(authority.leaf())) {
      throw new IllegalArgumentException("expected the newest authority first");
    }
  }

  /** Reads a Secret; empty if anything is missing in it or does not fit. */
  static Optional<TlsState> of(JsonNode secret) {
    JsonNode data = secret.path("data");
    List<X509Certificate> authorities = KeyMaterial.certificates(text(data.path(CA)));
    Optional<KeyMaterial> authority = KeyMaterial.of(text(data.path(CA)), text(data.path(CA_KEY)));
    Optional<KeyMaterial> leaf = KeyMaterial.of(text(data.path(CERT)), text(data.path(KEY)));
    if (authority.isEmpty() || leaf.isEmpty()) {
      return Optional.empty();
    }
    X509Certificate served = leaf.get().leaf();
    boolean vouched = authorities.stream().anyMatch(one -> Authority.signed(one, served));
    KeyMaterial newest = new KeyMaterial(List.of(authorities.getFirst()), authority.get().key());
    return vouched ? Optional.of(new TlsState(authorities, newest, leaf.get())) : Optional.empty();
  }

  private static String text(JsonNode base64) {
    try {
      return new String(Base64.getDecoder().decode(base64.asString("")), StandardCharsets.US_ASCII);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  /** The {@code data} of the Secret. */
  ObjectNode data() {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    put(data, CA, bundle());
    put(data, CA_KEY, KeyMaterial.pem(authority.key()));
    put(data, CERT, KeyMaterial.pem(leaf.chain()));
    put(data, KEY, KeyMaterial.pem(leaf.key()));
    return data;
  }

  private static void put(ObjectNode data, String name, String text) {
    data.put(name, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII)));
  }

  /** PEM of all authorities: the {@code caBundle} of the webhook. */
  String bundle() {
    return KeyMaterial.pem(authorities);
  }

  boolean leafIsOfNewest() {
    return Authority.signed(authority.leaf(), leaf.leaf());
  }
}
