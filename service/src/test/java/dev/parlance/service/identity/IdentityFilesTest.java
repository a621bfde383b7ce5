package dev.parlance.service.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.testing.TestDomain;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.PrivateKey;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdentityFilesTest {
  private static final TestDomain MESH = new TestDomain("mesh.example");
  private static final TestDomain OTHER = new TestDomain("other.example");

  @TempDir Path folder = Path.of("");
  private final List<Svid> taken = new ArrayList<>();
  private final List<TrustBundles> bundles = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();

  private IdentityFiles files(Map<String, Path> domains) {
    return new IdentityFiles(
        new IdentityFiles.Paths(
            folder.resolve("tls.crt"),
            folder.resolve("tls.key"),
            folder.resolve("ca.crt"),
            domains),
        (svid, trust) -> {
          taken.add(svid);
          bundles.add(trust);
        },
        refused::add);
  }

  private static void look(IdentityFiles files, int times) {
    for (int i = 0; i < times; i++) {
      files.look();
    }
  }

  @Test
  void files_areTakenOnceTwoLooksAgree_andAgainWhenTheyChange() throws Exception {
    MESH.write(folder, MESH.svid("a"));
    IdentityFiles files = files(Map.of());
    files.look();
    assertThat(taken).isEmpty();
    look(files, 3);
    assertThat(taken).hasSize(1);
    MESH.write(folder, MESH.svid("a"));
    look(files, 3);
    assertThat(taken).hasSize(2);
    assertThat(bundles.getFirst().authorities()).containsOnlyKeys("mesh.example");
    assertThat(refused).isEmpty();
  }

  @Test
  void bundlesOfOtherDomains_areReadAsWell() throws Exception {
    Path partner = folder.resolve("partner.pem");
    Files.writeString(partner, OTHER.root().getCertificatePEM());
    MESH.write(folder, MESH.svid("a"));
    look(files(Map.of("other.example", partner)), 2);
    assertThat(bundles.getFirst().authorities()).containsOnlyKeys("mesh.example", "other.example");
  }

  @Test
  void badFile_keepsTheLastGood_andIsSaidOnce() throws Exception {
    MESH.write(folder, MESH.svid("a"));
    IdentityFiles files = files(Map.of());
    look(files, 2);
    Files.writeString(folder.resolve("tls.crt"), "nothing");
    look(files, 5);
    assertThat(taken).hasSize(1);
    assertThat(refused).singleElement().asString().contains("no certificate in PEM");
    Files.delete(folder.resolve("tls.crt"));
    look(files, 5);
    assertThat(refused).hasSize(2);
    MESH.write(folder, MESH.svid("b"));
    look(files, 2);
    assertThat(taken).hasSize(2);
  }

  @Test
  void keyAndCertificateOfDifferentTurns_areNotTaken() throws Exception {
    MESH.write(folder, MESH.svid("a"));
    IdentityFiles files = files(Map.of());
    look(files, 2);
    X509Bundle next = MESH.svid("a");
    Files.writeString(folder.resolve("tls.key"), next.getPrivateKeyPEM());
    look(files, 2);
    assertThat(taken).hasSize(1);
    assertThat(refused).singleElement().asString().contains("the key is not that");
    Files.writeString(folder.resolve("tls.crt"), next.getCertificatePathPEM());
    look(files, 2);
    assertThat(taken).hasSize(2);
  }

  /** As the kubelet does: files are links through {@code ..data}, which is swapped at once. */
  @Test
  void swappedLink_isSeen() throws Exception {
    Path volume = folder.resolve("volume");
    swap(volume, "one", MESH.svid("a"));
    for (String name : List.of("tls.crt", "tls.key", "ca.crt")) {
      Files.createSymbolicLink(folder.resolve(name), volume.resolve("..data/" + name));
    }
    IdentityFiles files = files(Map.of());
    look(files, 2);
    swap(volume, "two", MESH.svid("b"));
    look(files, 2);
    assertThat(taken).extracting(svid -> svid.id().path()).containsExactly("/a", "/b");
    assertThat(refused).isEmpty();
  }

  private static void swap(Path volume, String turn, X509Bundle svid) throws IOException {
    MESH.write(volume.resolve(turn), svid);
    Path next = volume.resolve("..next");
    Files.createSymbolicLink(next, volume.resolve(turn));
    Files.move(next, volume.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void keysInOlderForms_areRead() throws Exception {
    for (CertificateBuilder leaf :
        List.of(TestDomain.leaf().ecp256(), TestDomain.leaf().rsa2048())) {
      X509Bundle svid = MESH.signed(leaf.addSanUriName(MESH.id("a")));
      MESH.write(folder, svid);
      PrivateKey key = svid.getKeyPair().getPrivate();
      Files.writeString(
          folder.resolve("tls.key"),
          pem(key.getAlgorithm() + " PRIVATE KEY", older(key.getEncoded())));
      look(files(Map.of()), 2);
    }
    assertThat(refused).isEmpty();
    assertThat(taken).hasSize(2);
  }

  /** PKCS #8 ends with the older form. */
  private static byte[] older(byte[] pkcs8) {
    for (int i = pkcs8.length - 4; i > 8; i--) {
      int head = (pkcs8[i] & 0xff) == 0x82 ? 3 : (pkcs8[i] & 0xff) == 0x81 ? 2 : 1;
      int length = 0;
      for (int j = head == 1 ? 0 : 1; j < head; j++) {
        length = length << 8 | (pkcs8[i + j] & 0xff);
      }
      if (pkcs8[i - 1] == 4 && i + head + length == pkcs8.length && pkcs8[i + head] == 0x30) {
        return java.util.Arrays.copyOfRange(pkcs8, i + head, pkcs8.length);
      }
    }
    throw new IllegalArgumentException("expected PKCS #8");
  }

  private static String pem(String label, byte[] der) {
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
        .formatted(label, Base64.getMimeEncoder().encodeToString(der), label);
  }
}
