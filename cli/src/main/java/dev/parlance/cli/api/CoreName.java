package dev.parlance.cli.api;

import dev.parlance.policy.core.Names;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.GetCoreRequest;
import dev.parlance.proto.v1.SignedCore;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The name of a core as people write it: {@code alice+bob/license}. Ids may hold slashes, so a name
 * can be read in several ways; all of them are tried.
 */
public final class CoreName {
  private CoreName() {}

  /** {@code alice+bob/license}. */
  public static String of(CoreId id) {
    return String.join("+", id.getAgentsList()) + "/" + id.getDomain();
  }

  /** What the name may stand for, likeliest first; empty if it is none. */
  public static List<CoreId> readings(String name) {
    List<CoreId> readings = new ArrayList<>();
    int lastAgent = name.lastIndexOf('+');
    for (int slash = name.lastIndexOf('/');
        lastAgent > 0 && slash > lastAgent;
        slash = name.lastIndexOf('/', slash - 1)) {
      List<String> agents =
          Arrays.stream(name.substring(0, slash).split("\\+", -1)).sorted().distinct().toList();
      String domain = name.substring(slash + 1);
      if (agents.size() > 1 && agents.stream().allMatch(Names::isName) && Names.isName(domain)) {
        readings.add(CoreId.newBuilder().addAllAgents(agents).setDomain(domain).build());
      }
    }
    return readings;
  }

  /** The core with this name; version 0 is the newest. */
  public static ControlReply<SignedCore> fetch(ControlClient client, String name, long version) {
    ControlReply<SignedCore> reply =
        new ControlReply.Failed<>(Status.Code.NOT_FOUND, "there is no core " + name);
    for (CoreId id : readings(name)) {
      reply =
          client.ask(stub ->
              stub.getCore(GetCoreRequest.newBuilder().setId(id).setVersion(version).build()));
      if (!(reply instanceof ControlReply.Failed<SignedCore>(Status.Code code, String _)
          && code == Status.Code.NOT_FOUND)) {
        return reply;
      }
    }
    return reply;
  }
}
