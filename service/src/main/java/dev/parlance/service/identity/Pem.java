package dev.parlance.service.identity;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PEM (RFC 7468): certificates, and private keys in the three ways that they are written. */
public final class Pem {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");

  private static final int LINE_CHARS = 64;
  private static final int SEQUENCE = 0x30;
  private static final int OCTET_STRING = 0x04;
  private static final byte[] VERSION_0 = {2, 1, 0};

  private Pem() {}

  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Block(String label, byte[] der) {}

  private static List<Block> blocks(byte[] pem) throws CertificateException {
    List<Block> found = new ArrayList<>();
    Matcher blocks = BLOCK.matcher(new String(pem, StandardCharsets.ISO_8859_1));
    while (blocks.find()) {
      try {
        found.add(new Block(blocks.group(1), Base64.getMimeDecoder().decode(blocks.group(2))));
      } catch (IllegalArgumentException e) {
        throw new CertificateException("a block " + blocks.group(1) + " is no base64", e);
      }
    }
    return found;
  }

  /**
   * All certificates, in order.
   *
   * @throws CertificateException if there is none, or one cannot be read
   */
  public static List<X509Certificate> certificates(byte[] pem) throws CertificateException {
    List<X509Certificate> found = new ArrayList<>();
    for (Block block : blocks(pem)) {
      if (block.label().equals("CERTIFICATE")) {
        found.addAll(der(block.der()));
      }
    }
    if (found.isEmpty()) {
      throw new CertificateException("no certificate in PEM");
    }
    return found;
  }

  /** A block of this label. */
  static String block(String label, byte[] der) {
    return "-----BEGIN "
        + label
        + "-----\n"
        + Base64.getMimeEncoder(LINE_CHARS, new byte[] {'\n'}).encodeToString(der)
        + "\n-----END "
        + label
        + "-----\n";
  }

  /** Certificates in DER, one behind the other. */
  public static List<X509Certificate> der(byte[] der) throws CertificateException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(der))
        .stream()
        .map(X509Certificate.class::cast)
        .toList();
  }

  /**
   * The private key, in PKCS #8, SEC 1 ({@code EC PRIVATE KEY}) or PKCS #1 ({@code RSA PRIVATE
   * KEY}).
   *
   * @param of the public key it is for, which says what kind of key it is
   * @throws CertificateException if there is none, or it cannot be read
   */
  public static PrivateKey key(byte[] pem, PublicKey of) throws CertificateException {
    for (Block block : blocks(pem)) {
      switch (block.label()) {
        case "PRIVATE KEY" -> {
          return pkcs8(block.der(), of);
        }
        case "EC PRIVATE KEY", "RSA PRIVATE KEY" -> {
          return pkcs8(wrapped(block.der(), of), of);
        }
        default -> {}
      }
    }
    throw new CertificateException("no private key in PEM");
  }

  /** A private key in DER, PKCS #8. */
  public static PrivateKey pkcs8(byte[] der, PublicKey of) throws CertificateException {
    try {
      return KeyFactory.getInstance(of.getAlgorithm())
          .generatePrivate(new PKCS8EncodedKeySpec(der));
    } catch (GeneralSecurityException e) {
      throw new CertificateException("the private key cannot be read", e);
    }
  }

  /**
   * PKCS #8 is version, algorithm and the older form as octets; the algorithm stands in the public
   * key, {@code SEQUENCE { algorithm, key }}, as well.
   */
  private static byte[] wrapped(byte[] older, PublicKey of) {
    byte[] info = of.getEncoded();
    int begin = contentOf(info, 0);
    int end = contentOf(info, begin) + lengthOf(info, begin);
    ByteArrayOutputStream inner = new ByteArrayOutputStream();
    inner.writeBytes(VERSION_0);
    inner.write(info, begin, end - begin);
    inner.writeBytes(element(OCTET_STRING, older));
    return element(SEQUENCE, inner.toByteArray());
  }

  private static int contentOf(byte[] der, int at) {
    int length = der[at + 1] & 0xff;
    return at + 2 + (length < 0x80 ? 0 : length & 0x7f);
  }

  private static int lengthOf(byte[] der, int at) {
    int length = der[at + 1] & 0xff;
    if (length < 0x80) {
      return length;
    }
    int sum = 0;
    for (int i = at + 2; i < contentOf(der, at); i++) {
      sum = (sum << 8) | (der[i] & 0xff);
    }
    return sum;
  }

  private static byte[] element(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 4);
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else {
      int bytes = content.length < 0x100 ? 1 : content.length < 0x10000 ? 2 : 3;
      out.write(0x80 | bytes);
      for (int i = bytes - 1; i >= 0; i--) {
        out.write(content.length >> (8 * i));
      }
    }
    out.writeBytes(content);
    return out.toByteArray();
  }
}
