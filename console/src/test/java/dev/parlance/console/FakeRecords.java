package dev.parlance.console;

import dev.parlance.console.source.RecordSource;
import dev.parlance.service.Result;
import java.util.OptionalLong;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A control plane's records, one of each. */
final class FakeRecords implements RecordSource {
  private static final String CORE =
      "\"key\":\"k\",\"id\":\"a+b/d\",\"agents\":[\"a\",\"b\"],\"domain\":\"d\",\"version\":2";
  private static final String ROUND =
      "\"key\":\"k\",\"round\":\"r\",\"epoch\":1,\"state\":\"open\",\"members\":[\"a\"]";
  private static final String BOARD = "\"key\":\"k\",\"board\":\"b\",\"terms\":1";
  private static final String ENTRY = "\"index\":0,\"kind\":\"core\"";

  private static Result<ObjectNode> json(String text) {
    return Result.done((ObjectNode) JsonMapper.shared().readTree("{" + text + "}"));
  }

  @Override
  public Result<ObjectNode> cores() {
    return json("\"cores\":[{" + CORE + "}]");
  }

  @Override
  public Result<ObjectNode> core(String key, OptionalLong version, OptionalLong with) {
    return json(
        CORE + ",\"list\":[{\"term\":\"t\",\"status\":\"certified\",\"change\":\"added\"}]");
  }

  @Override
  public Result<ObjectNode> rounds(int limit) {
    return json("\"rounds\":[{" + ROUND + "}]");
  }

  @Override
  public Result<ObjectNode> round(String key, boolean words) {
    return json(ROUND + ",\"proposals\":[{\"agent\":\"a\"}],\"angles\":[]");
  }

  @Override
  public Result<ObjectNode> pacts(int limit) {
    return json(
        "\"pacts\":[{\"id\":\"p\",\"parties\":[\"a\"],\"state\":\"active\"}],\"scores\":[],"
            + "\"cases\":[{\"negotiation\":\"n\",\"initiator\":\"a\",\"responder\":\"b\","
            + "\"arbiter\":\"c\",\"pact\":\"p\",\"state\":\"waiting\",\"untilMs\":1,"
            + "\"decision\":\"c/n@1\","
            + "\"offers\":[{\"predicate\":\"q\",\"key\":\"\",\"ours\":\"x\",\"theirs\":\"\"}]}]");
  }

  @Override
  public Result<ObjectNode> boards(int limit) {
    return json("\"boards\":[{" + BOARD + "}]");
  }

  @Override
  public Result<ObjectNode> board(String key) {
    return json(BOARD + ",\"list\":[{\"term\":\"t\",\"status\":\"shared\"}]");
  }

  @Override
  public Result<ObjectNode> ledger() {
    return json(
        "\"origin\":\"o\",\"size\":1,\"rootHash\":\"00\",\"checkpoint\":\"c\",\"verifierKey\":\"v\",\"signed\":true");
  }

  @Override
  public Result<ObjectNode> entries(int limit, OptionalLong before) {
    return json("\"entries\":[{" + ENTRY + "}]");
  }

  @Override
  public Result<ObjectNode> entry(long index) {
    return json(
        ENTRY + ",\"proof\":{\"treeSize\":1,\"rootHash\":\"00\",\"path\":[],\"holds\":true}");
  }
}
