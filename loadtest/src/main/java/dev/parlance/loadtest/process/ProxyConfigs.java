package dev.parlance.loadtest.process;

import dev.parlance.loadtest.load.LoadPlan.Protocol;
import java.nio.file.Path;

/**
 * Minimal configurations of the proxies under test: one thread, keep-alive on both sides, no access
 * log, bodies in memory.
 */
public final class ProxyConfigs {
  private static final String[] NGINX_MODULES_WITH_TEMP = {"fastcgi", "uwsgi", "scgi"};

  /** What a proxy needs beside the body in its buffer: header blocks and reserve. */
  private static final int LUA_BUFFER_RESERVE = 16_384;

  private ProxyConfigs() {}

  /** An HAProxy configuration for {@code haproxy -db -f FILE}; it forwards unread. */
  static String haproxy(int port, int upstreamPort, Protocol protocol) {
    return haproxy(port, upstreamPort, protocol, "", "");
  }

  /**
   * The same with the reading pass of a script.
   *
   * @param script file with the actions {@code read_question} and {@code read_answer}
   * @param bodyBytes the largest body: HAProxy reads no more of one than its buffer holds
   */
  static String haproxyLua(
      int port, int upstreamPort, Protocol protocol, Path script, int bodyBytes) {
    return haproxy(
        port,
        upstreamPort,
        protocol,
        """
            tune.bufsize %d
            lua-load %s
        """
            .formatted(bodyBytes + LUA_BUFFER_RESERVE, script),
        """
            http-request wait-for-body time 60s
            http-request lua.read_question
            http-response wait-for-body time 60s
            http-response lua.read_answer
        """);
  }

  private static String haproxy(
      int port, int upstreamPort, Protocol protocol, String global, String rules) {
    String speaks =
        switch (protocol) {
          case HTTP1 -> "";
          case H2 -> " proto h2";
        };
    return haproxyHead(global)
        + """
        frontend load
            bind 127.0.0.1:%1$d%3$s
        %4$s    default_backend agent

        backend agent
            server upstream 127.0.0.1:%2$d%3$s
        """
            .formatted(port, upstreamPort, speaks, rules);
  }

  /** What every one begins with. */
  static String haproxyHead(String global) {
    return """
    global
        nbthread 1
        maxconn 4096
    %s
    defaults
        mode http
        timeout connect 5s
        timeout client 60s
        timeout server 60s
        http-reuse always

    """
        .formatted(global);
  }

  /**
   * An nginx configuration for {@code nginx -c FILE}.
   *
   * @param buildFlags what {@code nginx -V} prints: modules it was built without have no settings
   */
  static String nginx(int port, int upstreamPort, Path folder, String buildFlags) {
    StringBuilder temp = new StringBuilder();
    for (String module : NGINX_MODULES_WITH_TEMP) {
      if (!buildFlags.contains("--without-http_" + module + "_module")) {
        temp.append("    ").append(module).append("_temp_path ").append(folder).append('/');
        temp.append(module).append(";\n");
      }
    }
    return """
    daemon off;
    master_process off;
    worker_processes 1;
    pid %1$s/nginx.pid;
    error_log stderr warn;
    events { worker_connections 4096; }
    http {
        access_log off;
        client_body_temp_path %1$s/client;
        proxy_temp_path %1$s/proxy;
    %2$s    client_max_body_size 64m;
        client_body_buffer_size 1m;
        keepalive_requests 1000000000;
        upstream agent {
            server 127.0.0.1:%4$d;
            keepalive 256;
            keepalive_requests 1000000000;
        }
        server {
            listen 127.0.0.1:%3$d backlog=1024;
            location / {
                proxy_pass http://agent;
                proxy_http_version 1.1;
                proxy_set_header Connection "";
                proxy_set_header Host $host;
                proxy_buffer_size 16k;
                proxy_buffers 16 16k;
            }
        }
    }
    """
        .formatted(folder, temp, port, upstreamPort);
  }

  /**
   * Where a sidecar gets its core from.
   *
   * @param port of the control plane's gRPC listener on the loopback address
   * @param agent id of the agent beside the sidecar
   * @param peer id of the agent on the other side
   * @param domain whose vocabulary is governed
   * @param tokenFile with the sidecar's token
   * @param keysFile with the key that signs cores
   */
  public record Guard(
      int port, String agent, String peer, String domain, Path tokenFile, Path keysFile) {}

  /**
   * A sidecar configuration: inbound listener in front of the upstream, on a free port.
   *
   * @param mode {@code observe} or {@code enforce}
   */
  public static String parlance(String mode, int upstreamPort, Path folder, Path portsFile) {
    return judging(mode, upstreamPort, Protocol.HTTP1, folder, portsFile);
  }

  /** A sidecar that judges without a core. */
  static String judging(
      String mode, int upstreamPort, Protocol protocol, Path folder, Path portsFile) {
    return parlance(mode, upstreamPort, protocol, folder, portsFile)
        + route("a2a", "    grounding: optional\n");
  }

  /**
   * A sidecar that reads no body: its route has a codec that does not take JSON, and lets pass what
   * it cannot take. There is no setting that forwards without entries in the decision log: every
   * message is counted and logged as not judged.
   */
  static String forwarding(int upstreamPort, Protocol protocol, Path folder, Path portsFile) {
    return parlance("enforce", upstreamPort, protocol, folder, portsFile)
        + route("text", "    onUnjudged: allow\n");
  }

  /** A sidecar that enforces, and holds every message against a core. */
  static String guarding(
      int upstreamPort, Protocol protocol, Path folder, Path portsFile, Guard guard) {
    return parlance("enforce", upstreamPort, protocol, folder, portsFile)
        + """
        control:
          target: 127.0.0.1:%d
          agent: %s
          tokenFile: %s
          keysFile: %s
        """
            .formatted(guard.port(), guard.agent(), guard.tokenFile(), guard.keysFile())
        + route(
            "a2a",
            "    grounding: optional\n    core: { domain: %s, peer: %s }\n"
                .formatted(guard.domain(), guard.peer()));
  }

  private static String parlance(
      String mode, int upstreamPort, Protocol protocol, Path folder, Path portsFile) {
    return """
    version: 1
    node: loadtest-%1$s
    mode: %1$s
    dataDir: %3$s/data
    portsFile: %4$s
    inbound:
      listen: 127.0.0.1:0
      agent: 127.0.0.1:%2$d
      agentProtocol: %5$s
    admin:
      listen: 127.0.0.1:0
    """
        .formatted(
            mode,
            upstreamPort,
            folder,
            portsFile,
            switch (protocol) {
              case HTTP1 -> "http1";
              case H2 -> "http2";
            });
  }

  private static String route(String codec, String more) {
    return """
    routes:
      - name: answers
        match: { direction: inbound, pathPrefix: /a2a }
        codec: %s
    """
            .formatted(codec)
        + more;
  }
}
