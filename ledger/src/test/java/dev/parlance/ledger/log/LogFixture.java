package dev.parlance.ledger.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** What tests of the log share. */
final class LogFixture {
  static final SignerKey KEY = key(7);

  private LogFixture() {}

  static SignerKey key(int fill) {
    byte[] seed = new byte[32];
    Arrays.fill(seed, (byte) fill);
    return SignerKey.fromSeed("log.example/test", KeyType.ED25519, seed);
  }

  static List<byte[]> entries(Random random, int count) {
    List<byte[]> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] entry = new byte[random.nextInt(60)];
      random.nextBytes(entry);
      entries.add(entry);
    }
    return entries;
  }

  static AppendResult append(Log log, List<byte[]> entries) throws Exception {
    return log.append(entries).toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  static AppendResult.Appended appended(Log log, List<byte[]> entries) throws Exception {
    AppendResult result = append(log, entries);
    assertThat(result).isInstanceOf(AppendResult.Appended.class);
    return (AppendResult.Appended) result;
  }

  static LedgerFault refused(AppendResult result) {
    return switch (result) {
      case AppendResult.Refused refused -> refused.fault();
      case AppendResult.Appended appended -> throw new AssertionError("was taken: " + appended);
    };
  }
}
