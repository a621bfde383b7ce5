package dev.parlance.proxy.config.file;

import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.config.YamlDocument;
import java.util.Optional;

/**
 * One reading of the file.
 *
 * @param digest SHA-256 of its bytes in hex; empty where it could not be read
 * @param result what came of it
 * @param reason why it was refused; empty if it was not
 * @param document where everything stands, to place problems that are found later
 */
record ConfigAttempt(
    String digest,
    ConfigResult<SidecarConfig> result,
    Optional<ConfigRefusalReason> reason,
    YamlDocument document) {}
