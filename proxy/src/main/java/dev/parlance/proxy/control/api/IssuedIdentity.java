package dev.parlance.proxy.control.api;

import com.google.protobuf.ByteString;
import dev.parlance.proto.v1.IdentityServiceGrpc;
import dev.parlance.proto.v1.IdentityServiceGrpc.IdentityServiceStub;
import dev.parlance.proto.v1.IssueSvidRequest;
import dev.parlance.proto.v1.IssueSvidResponse;
import dev.parlance.proto.v1.MeshTrust;
import dev.parlance.proxy.config.ControlSettings;
import dev.parlance.proxy.control.Backoff;
import dev.parlance.proxy.control.ControlChannels;
import dev.parlance.proxy.control.ControlCredentials;
import dev.parlance.proxy.control.PushedTrust;
import dev.parlance.service.Result;
import dev.parlance.service.identity.IdentityFiles;
import dev.parlance.service.identity.Pem;
import dev.parlance.service.identity.Svid;
import dev.parlance.service.identity.TrustBundles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * An identity from the control plane: a certificate for a key that is made here, anew each time,
 * and never leaves this process. It is renewed when two thirds of its life are over, give or take a
 * tenth, so that sidecars which began together come apart; what fails is tried again after a pause,
 * longer each time, and what was taken last stays until it expires.
 */
public final class IssuedIdentity implements AutoCloseable, PushedTrust.Listener {
  private static final byte[] PROOF = "parlance-svid-1\n".getBytes(StandardCharsets.US_ASCII);
  private static final int TIMEOUT_MS = 15_000;
  private static final int MAX_MESSAGE_BYTES = 1 << 20;
  private static final double RENEWED_AT = 2.0 / 3;
  private static final double JITTER = 0.1;

  private final Optional<String> agent;
  private final ControlCalls<IdentityServiceStub> calls;
  private final IdentityFiles.Taker taker;
  private final Consumer<String> refused;
  private final RandomGenerator random = new SecureRandom();
  private final Backoff backoff = new Backoff(random);
  private Optional<Svid> svid = Optional.empty();
  private Optional<PushedTrust> trust = Optional.empty();
  private String complaint = "";

  private IssuedIdentity(
      ControlSettings settings,
      Optional<Path> tokenFile,
      String version,
      IdentityFiles.Taker taker,
      Consumer<String> refused) {
    this.agent = tokenFile.isPresent() ? Optional.empty() : Optional.of(settings.agent());
    this.taker = taker;
    this.refused = refused;
    this.calls =
        new ControlCalls<>(
            "identities",
            new ControlCalls.Settings(
                new ControlChannels.Settings(
                    settings.target(), settings.tls(), version, MAX_MESSAGE_BYTES),
                ControlCredentials.token(tokenFile.or(settings::tokenFile).orElseThrow())),
            IdentityServiceGrpc::newStub,
            random);
  }

  /**
   * Begins to ask, in the background.
   *
   * @param tokenFile token of the pod's service account; absent: the attach token is shown
   * @param taker is given each identity
   * @param refused told, once for each reason in a row, why there is none
   */
  public static IssuedIdentity start(
      ControlSettings settings,
      Optional<Path> tokenFile,
      String version,
      IdentityFiles.Taker taker,
      Consumer<String> refused) {
    IssuedIdentity identity = new IssuedIdentity(settings, tokenFile, version, taker, refused);
    identity.calls.thread().execute(identity::ask);
    return identity;
  }

  // ---- all on the thread of the calls ----

  private void ask() {
    KeyPair keys = keys();
    IssueSvidRequest request = request(keys);
    CompletableFuture<Void> _ =
        calls
            .<IssueSvidResponse, Result<IssueSvidResponse>>ask(
                (stub, out) -> stub.issueSvid(request, out),
                TIMEOUT_MS,
                Result::done,
                fault ->
                    Result.refused(Result.Kind.UNAVAILABLE, "not_issued", String.valueOf(fault)))
            .thenAcceptAsync(answer -> answered(keys, answer), calls.thread());
  }

  private void answered(KeyPair keys, Result<IssueSvidResponse> answer) {
    switch (answer) {
      case Result.Done<IssueSvidResponse>(IssueSvidResponse response) -> {
        try {
          PushedTrust believed = read(response.getTrust());
          Svid issued = Svid.of(certificates(response.getChainList()), keys.getPrivate());
          take(issued, believed);
          svid = Optional.of(issued);
          trust = Optional.of(believed);
          complaint = "";
          backoff.reset();
          again(renewalMs(issued, Instant.now()));
        } catch (CertificateException e) {
          failed(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
          // Who does not ask again has no identity any more when this one expires.
          failed(String.valueOf(e));
        }
      }
      case Result.Refused<IssueSvidResponse> why -> failed(why.message());
    }
  }

  private void failed(String why) {
    if (!why.equals(complaint)) {
      complaint = why;
      refused.accept("the control plane gives no identity: " + why);
    }
    again(backoff.nextMs());
  }

  private void again(long delayMs) {
    try {
      ScheduledFuture<?> _ = calls.thread().schedule(this::ask, delayMs, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException _) {
      // the sidecar stops
    }
  }

  private long renewalMs(Svid issued, Instant now) {
    // From now on: the certificate began in the past, because clocks differ.
    long leftMs = Math.max(0, Duration.between(now, issued.notAfter()).toMillis());
    return Math.round(leftMs * (RENEWED_AT + JITTER * (2 * random.nextDouble() - 1)));
  }

  private void take(Svid issued, PushedTrust believed) throws CertificateException {
    if (believed.authorities().isEmpty()) {
      throw new CertificateException("no authorities");
    }
    if (!issued.id().trustDomain().equals(believed.trustDomain())) {
      throw new CertificateException("an identity of another trust domain than its authorities");
    }
    taker.take(issued, new TrustBundles(Map.of(believed.trustDomain(), believed.authorities())));
  }

  /** The authorities have changed: the same identity with them. */
  @Override
  public void trusted(PushedTrust pushed) {
    try {
      calls.thread().execute(() -> renew(pushed));
    } catch (RejectedExecutionException _) {
      // the sidecar stops
    }
  }

  private void renew(PushedTrust pushed) {
    boolean isNews =
        svid.isPresent()
            && trust.filter(now -> now.authorities().equals(pushed.authorities())).isEmpty();
    if (!isNews) {
      return;
    }
    try {
      take(svid.get(), pushed);
      trust = Optional.of(pushed);
    } catch (CertificateException e) {
      refused.accept("authorities of the control plane are not taken: " + e.getMessage());
    }
  }

  private IssueSvidRequest request(KeyPair keys) {
    byte[] key = keys.getPublic().getEncoded();
    try {
      Signature proof = Signature.getInstance("SHA256withECDSA");
      proof.initSign(keys.getPrivate());
      proof.update(PROOF);
      proof.update(key);
      return IssueSvidRequest.newBuilder()
          .setAgent(agent.orElse(""))
          .setPublicKey(ByteString.copyFrom(key))
          .setProof(ByteString.copyFrom(proof.sign()))
          .build();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has ECDSA", e);
    }
  }

  private static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has P-256", e);
    }
  }

  /** What the control plane says of whom to believe. */
  static PushedTrust read(MeshTrust said) throws CertificateException {
    Set<X509Certificate> authorities = new HashSet<>(certificates(said.getAuthoritiesList()));
    return new PushedTrust(said.getTrustDomain(), authorities, said.getDeniedList());
  }

  private static List<X509Certificate> certificates(List<ByteString> der)
      throws CertificateException {
    return Pem.der(ByteString.copyFrom(der).toByteArray());
  }

  @Override
  public void close() {
    calls.close();
  }
}
