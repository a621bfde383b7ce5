package dev.parlance.service.identity;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
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

/**
 * Makes authorities and certificates: P-256, ECDSA with SHA-256 unless an authority's key is of
 * another kind. Needs Bouncy Castle, which a process that makes none does not load.
 */
public final class Authority {
  /** Clocks of other machines may be behind ours. */
  public static final Duration SKEW = Duration.ofMinutes(5);

  private static final SecureRandom RANDOM = new SecureRandom();

  private Authority() {}

  /**
   * An authority of its own, that vouches for leaves and nothing below them.
   *
   * @param name its name but for the time, which tells two apart that are valid together
   */
  public static KeyMaterial create(String name, Instant now, Duration validity) {
    KeyPair keys = keys();
    X500Name full = name(name + "-" + now.toEpochMilli());
    X509Certificate made =
        certificate(
            full,
            keys.getPrivate(),
            full,
            keys.getPublic(),
            now,
            now.plus(validity),
            extensions -> {
              extensions.add(Extension.basicConstraints, true, new BasicConstraints(0));
              extensions.add(
                  Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            });
    return new KeyMaterial(List.of(made), keys.getPrivate());
  }

  /** A server's certificate, never valid longer than the authority. */
  public static KeyMaterial server(
      KeyMaterial authority, String name, List<String> dnsNames, Instant now, Duration validity) {
    KeyPair keys = keys();
    GeneralName[] names =
        dnsNames.stream()
            .map(one -> new GeneralName(GeneralName.dNSName, one))
            .toArray(GeneralName[]::new);
    X509Certificate made =
        leaf(authority, name(name), keys.getPublic(), now, validity, names, false);
    return new KeyMaterial(List.of(made), keys.getPrivate());
  }

  /** The leaf of an X.509-SVID, never valid longer than the authority. */
  public static X509Certificate svid(
      KeyMaterial authority, SpiffeId id, PublicKey key, Instant now, Duration validity) {
    GeneralName uri = new GeneralName(GeneralName.uniformResourceIdentifier, id.toString());
    return leaf(authority, name("workload"), key, now, validity, new GeneralName[] {uri}, true);
  }

  private static X509Certificate leaf(
      KeyMaterial authority,
      X500Name subject,
      PublicKey key,
      Instant now,
      Duration validity,
      GeneralName[] names,
      boolean isClient) {
    Instant end = now.plus(validity);
    return certificate(
        X500Name.getInstance(authority.leaf().getSubjectX500Principal().getEncoded()),
        authority.key(),
        subject,
        key,
        now,
        end.isAfter(authority.notAfter()) ? authority.notAfter() : end,
        extensions -> {
          extensions.add(
              Extension.authorityKeyIdentifier,
              false,
              new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(authority.leaf()));
          extensions.add(Extension.basicConstraints, true, new BasicConstraints(false));
          extensions.add(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
          KeyPurposeId server = KeyPurposeId.id_kp_serverAuth;
          extensions.add(
              Extension.extendedKeyUsage,
              false,
              isClient
                  ? new ExtendedKeyUsage(new KeyPurposeId[] {server, KeyPurposeId.id_kp_clientAuth})
                  : new ExtendedKeyUsage(server));
          extensions.add(Extension.subjectAlternativeName, false, new GeneralNames(names));
        });
  }

  private static X500Name name(String common) {
    return new X500Name("O=Parlance,CN=" + common);
  }

  /** Where the extensions of one certificate are put. */
  @FunctionalInterface
  private interface Adder {
    void add(ASN1ObjectIdentifier kind, boolean isCritical, ASN1Encodable value)
        throws CertIOException;
  }

  /** Puts them. */
  @FunctionalInterface
  private interface Extensions {
    void to(Adder adder) throws GeneralSecurityException, CertIOException;
  }

  private static X509Certificate certificate(
      X500Name issuer,
      PrivateKey signer,
      X500Name subject,
      PublicKey key,
      Instant now,
      Instant end,
      Extensions extensions) {
    try {
      X509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              new BigInteger(127, RANDOM).add(BigInteger.ONE),
              Date.from(now.minus(SKEW)),
              Date.from(end),
              subject,
              key);
      builder.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createSubjectKeyIdentifier(key));
      extensions.to(builder::addExtension);
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(
                  new JcaContentSignerBuilder(KeyMaterial.algorithm(signer)).build(signer)));
    } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
      throw new IllegalStateException("a certificate of our own making failed", e);
    }
  }

  /** A new pair of keys. */
  public static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has P-256", e);
    }
  }

  /** True if the authority signed the certificate. */
  public static boolean signed(X509Certificate authority, X509Certificate certificate) {
    try {
      certificate.verify(authority.getPublicKey());
      return certificate.getIssuerX500Principal().equals(authority.getSubjectX500Principal());
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
