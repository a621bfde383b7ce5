package dev.parlance.service.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.service.identity.SvidException.Fault;
import dev.parlance.service.testing.TestDomain;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.KeyUsage;
import io.netty.pkitesting.X509Bundle;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TrustBundlesTest {
  private static final TestDomain MESH = new TestDomain("mesh.example");
  private static final TestDomain OTHER = new TestDomain("other.example");
  private static final TrustBundles BUNDLES =
      new TrustBundles(Map.of("mesh.example", Set.of(MESH.root().getCertificate())));

  private static SpiffeId verified(X509Bundle svid) throws SvidException {
    return BUNDLES.verify(svid.getCertificatePathList(), Instant.now());
  }

  private static void refused(Fault fault, X509Bundle svid) {
    assertThatThrownBy(() -> verified(svid))
        .isInstanceOfSatisfying(
            SvidException.class, e -> assertThat(e.fault()).as(e.getMessage()).isEqualTo(fault));
  }

  @Test
  void goodChain_showsItsId_withOrWithoutTheRoot() throws Exception {
    X509Bundle svid = MESH.svid("ns/shop/sa/buyer");
    assertThat(verified(svid)).hasToString("spiffe://mesh.example/ns/shop/sa/buyer");
    List<X509Certificate> withRoot = Arrays.asList(svid.getCertificatePathWithRoot());
    assertThat(BUNDLES.verify(withRoot, Instant.now())).isEqualTo(verified(svid));
  }

  @Test
  void T1_outOfItsTime_leafOrRoot() {
    Instant now = Instant.now();
    refused(Fault.EXPIRED, MESH.svid("a", leaf -> leaf.notAfter(now.minusSeconds(1))));
    refused(Fault.NOT_YET_VALID, MESH.svid("a", leaf -> leaf.notBefore(now.plusSeconds(600))));
    TestDomain old =
        new TestDomain("mesh.example", root -> root.notAfter(now.minus(Duration.ofHours(1))));
    TrustBundles bundles =
        new TrustBundles(Map.of("mesh.example", Set.of(old.root().getCertificate())));
    assertThatThrownBy(() -> bundles.verify(old.svid("a").getCertificatePathList(), now))
        .isInstanceOfSatisfying(
            SvidException.class, e -> assertThat(e.fault()).isEqualTo(Fault.EXPIRED));
  }

  static Stream<Arguments> notSvids() throws Exception {
    String id = MESH.id("a");
    return Stream.of(
        Arguments.of("no URI", TestDomain.leaf()),
        Arguments.of("id as DNS name only", TestDomain.leaf().addSanDnsName("mesh.example")),
        Arguments.of("id in the subject only", TestDomain.leaf().subject("CN=" + id)),
        Arguments.of("two ids", TestDomain.leaf().addSanUriName(id).addSanUriName(MESH.id("b"))),
        Arguments.of("another scheme", TestDomain.leaf().addSanUriName("https://mesh.example/a")),
        Arguments.of("no path", TestDomain.leaf().addSanUriName("spiffe://mesh.example")),
        Arguments.of("a port", TestDomain.leaf().addSanUriName("spiffe://mesh.example:8/a")),
        Arguments.of("a query", TestDomain.leaf().addSanUriName(id + "?x=1")),
        Arguments.of(
            "an authority", TestDomain.leaf().addSanUriName(id).setIsCertificateAuthority(true)),
        Arguments.of(
            "signs certificates",
            TestDomain.leaf()
                .addSanUriName(id)
                .setKeyUsage(true, KeyUsage.digitalSignature, KeyUsage.keyCertSign)),
        Arguments.of(
            "no signatures",
            TestDomain.leaf().addSanUriName(id).setKeyUsage(true, KeyUsage.keyAgreement)),
        Arguments.of(
            "for servers only",
            new CertificateBuilder()
                .ecp256()
                .subject("CN=w")
                .addSanUriName(id)
                .setKeyUsage(true, KeyUsage.digitalSignature)
                .addExtendedKeyUsageServerAuth()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("notSvids")
  void T2_whatIsNoSvid(String what, CertificateBuilder leaf) {
    refused(Fault.NOT_SVID, MESH.signed(leaf));
  }

  @Test
  void T2_otherTrustDomain_alsoFromAnAuthorityThatIsBelievedForItsOwn() throws Exception {
    refused(Fault.UNKNOWN_DOMAIN, OTHER.svid("a"));
    refused(
        Fault.UNKNOWN_DOMAIN,
        MESH.signed(TestDomain.leaf().addSanUriName("spiffe://other.example/a")));
    TrustBundles both =
        new TrustBundles(
            Map.of(
                "mesh.example", Set.of(MESH.root().getCertificate()),
                "other.example", Set.of(OTHER.root().getCertificate())));
    assertThat(both.verify(OTHER.svid("a").getCertificatePathList(), Instant.now()))
        .hasToString("spiffe://other.example/a");
    X509Bundle crossed = OTHER.signed(TestDomain.leaf().addSanUriName(MESH.id("a")));
    assertThatThrownBy(() -> both.verify(crossed.getCertificatePathList(), Instant.now()))
        .isInstanceOfSatisfying(
            SvidException.class, e -> assertThat(e.fault()).isEqualTo(Fault.UNTRUSTED));
  }

  @Test
  void T3_nobodyVouchesForIt() throws Exception {
    refused(
        Fault.NOT_SVID,
        TestDomain.leaf()
            .addSanUriName(MESH.id("a"))
            .setIsCertificateAuthority(true)
            .buildSelfSigned());
    refused(Fault.UNTRUSTED, new TestDomain("mesh.example").svid("a"));
    List<X509Certificate> leafOnly = MESH.svid("a").getCertificatePathList().subList(0, 1);
    assertThatThrownBy(() -> BUNDLES.verify(leafOnly, Instant.now()))
        .isInstanceOfSatisfying(
            SvidException.class, e -> assertThat(e.fault()).isEqualTo(Fault.UNTRUSTED));
  }

  @Test
  void longChain_isNotLookedAt() {
    List<X509Certificate> one = MESH.svid("a").getCertificatePathList();
    List<X509Certificate> many = java.util.Collections.nCopies(9, one.getFirst());
    assertThatThrownBy(() -> BUNDLES.verify(many, Instant.now()))
        .hasMessage("a chain of 9 certificates");
  }

  @Test
  void keyOfAnother_isNotTaken() {
    X509Bundle svid = MESH.svid("a");
    assertThatThrownBy(
            () -> Svid.of(svid.getCertificatePathList(), MESH.svid("a").getKeyPair().getPrivate()))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("the key is not that of the certificate");
  }
}
