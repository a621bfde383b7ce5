package dev.parlance.inject.certificate;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Makes authorities and certificates: P-256, ECDSA with SHA-256. */
final class Authority {
  /** Clocks of other machines may be behind ours. */
  static final Duration SKEW = Duration.ofMinutes(5);

  private static final SecureRandom RANDOM = new SecureRandom();

  private Authority() {}

  /** An authority of its own, that vouches for servers and nothing below them. */
  static KeyMaterial create(Instant now, Duration validity) {
    KeyPair keys = keys();
    // The name tells two authorities apart that are valid at the same time.
    X500Name name = new X500Name("O=Parlance,CN=parlance-injector-ca-" + now.getEpochSecond());
    return certificate(
        name, keys.getPrivate(), name, keys, now, now.plus(validity), List.of(), List.of());
  }

  /** A server's certificate, never valid longer than the authority. */
  static KeyMaterial issue(
      KeyMaterial authority, List<String> dnsNames, Instant now, Duration validity) {
    Instant end = now.plus(validity);
    return certificate(
        new X500Name("O=Parlance,CN=parlance-injector"),
        authority.key(),
        X500Name.getInstance(authority.leaf().getSubjectX500Principal().getEncoded()),
        keys(),
        now,
        end.isAfter(authority.notAfter()) ? authority.notAfter() : end,
        dnsNames,
        List.of(authority.leaf()));
  }

  private static KeyMaterial certificate(
      X500Name subject,
      PrivateKey signer,
      X500Name issuer,
      KeyPair keys,
      Instant now,
      Instant end,
      List<String> dnsNames,
      List<X509Certificate> above) {
    try {
      X509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              new BigInteger(127, RANDOM).add(BigInteger.ONE),
              Date.from(now.minus(SKEW)),
              Date.from(end),
              subject,
              keys.getPublic());
      extensions(builder, keys.getPublic(), dnsNames, above);
      X509Certificate made =
          new JcaX509CertificateConverter()
              .getCertificate(
                  builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer)));
      return new KeyMaterial(List.of(made), keys.getPrivate());
    } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
      throw new IllegalStateException("a certificate of our own making failed", e);
    }
  }

  private static void extensions(
      X509v3CertificateBuilder builder,
      PublicKey key,
      List<String> dnsNames,
      List<X509Certificate> above)
      throws GeneralSecurityException, CertIOException {
    JcaX509ExtensionUtils ids = new JcaX509ExtensionUtils();
    builder.addExtension(
        Extension.subjectKeyIdentifier, false, ids.createSubjectKeyIdentifier(key));
    if (above.isEmpty()) {
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      return;
    }
    builder.addExtension(
        Extension.authorityKeyIdentifier,
        false,
        ids.createAuthorityKeyIdentifier(above.getFirst()));
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
    builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
    builder.addExtension(
        Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
    builder.addExtension(
        Extension.subjectAlternativeName,
        false,
        new GeneralNames(
            dnsNames.stream()
                .map(name -> new GeneralName(GeneralName.dNSName, name))
                .toArray(GeneralName[]::new)));
  }

  private static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has P-256", e);
    }
  }

  /** True if the authority signed the certificate. */
  static boolean signed(X509Certificate authority, X509Certificate certificate) {
    try {
      certificate.verify(authority.getPublicKey());
      return certificate.getIssuerX500Principal().equals(authority.getSubjectX500Principal());
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** True if the key is the certificate's. */
  static boolean belongs(X509Certificate certificate, PrivateKey key) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC", "ECDSA" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> key.getAlgorithm();
        };
    byte[] probe = {1, 2, 3};
    try {
      Signature signer = Signature.getInstance(algorithm);
      signer.initSign(key);
      signer.update(probe);
      byte[] signature = signer.sign();
      signer.initVerify(certificate.getPublicKey());
      signer.update(probe);
      return signer.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
