package dev.parlance.inject.certificate;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMException;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;

/**
 * A certificate and its key.
 *
 * @param chain the certificate first; one or more
 * @param key its private key
 */
public record KeyMaterial(List<X509Certificate> chain, PrivateKey key) {
  /** Refuses a key without a certificate. */
  public KeyMaterial {
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("expected a certificate");
    }
  }

  /** The certificate itself. */
  public X509Certificate leaf() {
    return chain.getFirst();
  }

  /** End of its validity. */
  public Instant notAfter() {
    return leaf().getNotAfter().toInstant();
  }

  /** Certificates of a PEM text, in its order; empty if there is anything wrong in it. */
  static List<X509Certificate> certificates(String pem) {
    List<X509Certificate> found = new ArrayList<>();
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      for (Object item = parser.readObject(); item != null; item = parser.readObject()) {
        if (item instanceof X509CertificateHolder holder) {
          found.add(new JcaX509CertificateConverter().getCertificate(holder));
        }
      }
    } catch (IOException | CertificateException e) {
      return List.of();
    }
    return found;
  }

  /** The private key of a PEM text: PKCS #8, or the older forms that cert-manager writes too. */
  static Optional<PrivateKey> key(String pem) {
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      for (Object item = parser.readObject(); item != null; item = parser.readObject()) {
        if (item instanceof PrivateKeyInfo info) {
          return Optional.of(new JcaPEMKeyConverter().getPrivateKey(info));
        }
        if (item instanceof PEMKeyPair pair) {
          return Optional.of(new JcaPEMKeyConverter().getPrivateKey(pair.getPrivateKeyInfo()));
        }
      }
      return Optional.empty();
    } catch (PEMException e) {
      return Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Certificate and key of two PEM texts, if both can be read and belong together. */
  public static Optional<KeyMaterial> of(String certificates, String key) {
    List<X509Certificate> chain = certificates(certificates);
    Optional<PrivateKey> secret = key(key);
    return chain.isEmpty() || secret.isEmpty() || !Authority.belongs(chain.getFirst(), secret.get())
        ? Optional.empty()
        : Optional.of(new KeyMaterial(chain, secret.get()));
  }

  static String pem(List<X509Certificate> certificates) {
    StringWriter out = new StringWriter();
    try (JcaPEMWriter pem = new JcaPEMWriter(out)) {
      for (X509Certificate certificate : certificates) {
        pem.writeObject(certificate);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a string does not refuse to be written", e);
    }
    return out.toString();
  }

  static String pem(PrivateKey key) {
    StringWriter out = new StringWriter();
    try (JcaPEMWriter pem = new JcaPEMWriter(out)) {
      pem.writeObject(new JcaPKCS8Generator(key, null));
    } catch (IOException e) {
      throw new UncheckedIOException("a string does not refuse to be written", e);
    }
    return out.toString();
  }
}
