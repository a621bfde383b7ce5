package dev.parlance.control.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * PEM files for TLS, of both listeners.
 *
 * @param cert certificate chain
 * @param key its private key
 * @param clientCa authorities whose client certificates the gRPC listener then asks for
 */
public record TlsFiles(Path cert, Path key, Optional<Path> clientCa) {}
