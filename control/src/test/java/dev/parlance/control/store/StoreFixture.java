package dev.parlance.control.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.control.store.Store.CorePut;
import dev.parlance.control.store.Store.CoreRow;
import dev.parlance.control.store.Store.Lease;
import dev.parlance.control.store.Store.QuestionRow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** A store for the tests of one class, with empty tables before each. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StoreFixture {
  static final Duration LONG = Duration.ofMinutes(5);
  static final Duration SHORT = Duration.ofMillis(40);

  TestDatabase database;
  Store store;

  StoreFixture() {}

  /** An empty database. */
  abstract TestDatabase newDatabase();

  @BeforeAll
  void open() {
    database = newDatabase();
    store = Stores.open(database.config());
  }

  @BeforeEach
  void clear() {
    database.clear();
  }

  @AfterAll
  void close() {
    if (store != null) {
      store.close();
    }
  }

  List<String> take(List<String> agents, int limit) {
    return store.take(agents, "replica", limit, LONG).stream().map(QuestionRow::id).toList();
  }

  Lease acquire(String resource) {
    return store.acquire(resource, "me", LONG).orElseThrow();
  }

  void awaitExpiry(Lease lease) {
    long end = store.nowMs() + 2 * SHORT.toMillis();
    await().alias(lease.resource()).until(() -> store.nowMs() > end);
  }

  void publish(CoreRow core, Lease lease) {
    assertThat(store.putPendingCore(core, lease)).isEqualTo(CorePut.DONE);
    assertThat(store.publishCore(core.coreKey(), core.version(), lease)).isEqualTo(CorePut.DONE);
  }

  static AuditRow audit(String id, String plan, String state, long startedAtMs) {
    return new AuditRow(
        id, plan, 1, "certify", List.of(), bytes("seed"), state, startedAtMs, 0, bytes(state));
  }

  static QuestionRow question(String id, String audit, String agent) {
    return new QuestionRow(id, audit, agent, bytes("document of " + id));
  }

  static CoreRow core(String key, long version, String audit) {
    return new CoreRow(
        key, version, List.of("alice", "bob"), "licenses", audit, bytes(key + version), false, 0);
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
