package dev.parlance.cli.api;

import dev.parlance.proto.v1.DenyIdentityRequest;
import dev.parlance.proto.v1.MeshIdentities;
import dev.parlance.proto.v1.RotateAuthorityRequest;
import dev.parlance.proto.v1.ShowIdentitiesRequest;
import java.util.List;

/**
 * The identities of a mesh, as its control plane says.
 *
 * @param trustDomain empty if it issues none
 * @param authorities who is believed
 * @param denied who is believed no more
 */
public record MeshInfo(String trustDomain, List<Authority> authorities, List<String> denied) {
  /**
   * An authority.
   *
   * @param activeAtMs when it begins to issue
   * @param issuing whether it issues now
   */
  public record Authority(
      String subject, String serial, long expiresAtMs, long activeAtMs, boolean issuing) {}

  private static MeshInfo of(MeshIdentities all) {
    return new MeshInfo(
        all.getTrustDomain(),
        all.getAuthoritiesList().stream()
            .map(one ->
                new Authority(
                    one.getSubject(),
                    one.getSerial(),
                    one.getExpiresAtMs(),
                    one.getActiveAtMs(),
                    one.getIssuing()))
            .toList(),
        all.getDeniedList());
  }

  /** How it stands. */
  public static MeshInfo show(ControlClient client) {
    return client.askIdentities(
        stub -> of(stub.showIdentities(ShowIdentitiesRequest.getDefaultInstance())));
  }

  /**
   * Makes the next authority.
   *
   * @param overlapMs how long it is only believed; 0: the life of a certificate
   */
  public static MeshInfo rotate(ControlClient client, long overlapMs) {
    var request = RotateAuthorityRequest.newBuilder().setOverlapMs(overlapMs).build();
    return client.askIdentities(stub -> of(stub.rotateAuthority(request)));
  }

  /** Denies an identity or one certificate, or allows it again. */
  public static MeshInfo deny(ControlClient client, String subject, boolean allowed) {
    var request = DenyIdentityRequest.newBuilder().setSubject(subject).setAllowed(allowed).build();
    return client.askIdentities(stub -> of(stub.denyIdentity(request)));
  }
}
