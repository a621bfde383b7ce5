package dev.parlance.cli.identity;

import dev.parlance.cli.CommandGroup;
import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ControlPlaneCommand;
import dev.parlance.cli.TextTable;
import dev.parlance.client.ControlClient;
import dev.parlance.proto.v1.DenyIdentityRequest;
import dev.parlance.proto.v1.MeshAuthority;
import dev.parlance.proto.v1.MeshIdentities;
import dev.parlance.proto.v1.RotateAuthorityRequest;
import dev.parlance.proto.v1.ShowIdentitiesRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Everything about identities that a control plane is asked for. */
@Command(
    name = "identity",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      IdentityCommand.IdentityShowCommand.class,
      IdentityCommand.IdentityDenyCommand.class,
      IdentityCommand.IdentityRotateCommand.class
    })
public final class IdentityCommand implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("identity", IdentityCommand.class);
  }

  /** Asks, and shows how it stands afterwards. */
  abstract static class MeshCommand extends ControlPlaneCommand<MeshIdentities> {
    @Override
    protected void text(MeshIdentities mesh) {
      if (mesh.getTrustDomain().isEmpty()) {
        terminal.println("no identities are issued (identity.trustDomain of the control plane)");
      } else {
        terminal.println("trust domain " + mesh.getTrustDomain());
        var table = new TextTable("", "authority, serial, issues from, expires, state");
        for (MeshAuthority one : mesh.getAuthoritiesList()) {
          table.add(
              one.getSubject(),
              one.getSerial(),
              one.getActiveAtMs() == 0 ? "" : Instant.ofEpochMilli(one.getActiveAtMs()).toString(),
              Instant.ofEpochMilli(one.getExpiresAtMs()).toString(),
              one.getIssuing() ? "issues" : "believed");
        }
        table.print(terminal.out());
      }
      for (String denied : mesh.getDeniedList()) {
        terminal.println("denied " + denied);
      }
    }
  }

  @Command(name = "show")
  static final class IdentityShowCommand extends MeshCommand {
    @Override
    protected MeshIdentities ask(ControlClient client) throws IOException {
      var request = ShowIdentitiesRequest.getDefaultInstance();
      return client.identities().ask(stub -> stub.showIdentities(request));
    }
  }

  @Command(name = "deny")
  static final class IdentityDenyCommand extends MeshCommand {
    @Parameters(paramLabel = "ID", description = "SPIFFE id or pattern of ids, or serial:HEX")
    String subject = "";

    @Option(names = "--undo", description = "take it off the list again")
    boolean undo;

    @Override
    protected MeshIdentities ask(ControlClient client) throws IOException {
      var request = DenyIdentityRequest.newBuilder().setSubject(subject).setAllowed(undo).build();
      return client.identities().ask(stub -> stub.denyIdentity(request));
    }
  }

  @Command(name = "rotate")
  static final class IdentityRotateCommand extends MeshCommand {
    private static final int MAX_MINUTES = 525_600;

    @Option(
        names = "--after",
        paramLabel = "MINUTES",
        description = "when it begins to issue (default: after the life of a certificate)")
    int minutes;

    @Override
    protected void check() {
      CommandProblem.checkRange("--after", minutes, 0, MAX_MINUTES);
    }

    @Override
    protected MeshIdentities ask(ControlClient client) throws IOException {
      long overlapMs = TimeUnit.MINUTES.toMillis(minutes);
      var request = RotateAuthorityRequest.newBuilder().setOverlapMs(overlapMs).build();
      return client.identities().ask(stub -> stub.rotateAuthority(request));
    }
  }
}
