package dev.parlance.loadtest;

import java.nio.file.Path;

/**
 * Minimal configurations of the proxies under test: one thread, keep-alive on both sides, no access
 * log, bodies in memory. None of them but the sidecar reads what it forwards.
 */
final class ProxyConfigs {
  private static final String[] NGINX_MODULES_WITH_TEMP = {"fastcgi", "uwsgi", "scgi"};

  private ProxyConfigs() {}

  /** An HAProxy configuration for {@code haproxy -db -f FILE}. */
  static String haproxy(int port, int upstreamPort) {
    return """
    global
        nbthread 1
        maxconn 4096

    defaults
        mode http
        timeout connect 5s
        timeout client 60s
        timeout server 60s
        http-reuse always

    frontend load
        bind 127.0.0.1:%d
        default_backend agent

    backend agent
        server upstream 127.0.0.1:%d
    """
        .formatted(port, upstreamPort);
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
   * A sidecar configuration: inbound listener in front of the upstream, on a free port.
   *
   * @param mode {@code observe} or {@code enforce}
   */
  static String parlance(String mode, int upstreamPort, Path folder, Path portsFile) {
    return """
    version: 1
    node: loadtest-%1$s
    mode: %1$s
    dataDir: %3$s/data
    portsFile: %4$s
    inbound:
      listen: 127.0.0.1:0
      agent: 127.0.0.1:%2$d
    admin:
      listen: 127.0.0.1:0
    routes:
      - name: answers
        match: { direction: inbound, pathPrefix: /a2a }
        codec: a2a
        grounding: optional
    """
        .formatted(mode, upstreamPort, folder, portsFile);
  }

  /**
   * A sidecar configuration for streams: as above, with a treatment of streams.
   *
   * @param mode {@code observe} or {@code enforce}
   * @param stream how the route treats streams: {@code hold}, {@code window} or {@code observe}
   */
  static String streams(String mode, String stream, int agentPort, Path folder, Path portsFile) {
    return parlance(mode, agentPort, folder, portsFile) + "    stream: " + stream + "\n";
  }
}
