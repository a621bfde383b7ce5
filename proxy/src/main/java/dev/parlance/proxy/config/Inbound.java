package dev.parlance.proxy.config;

import dev.parlance.proxy.relay.Destination;

/**
 * The listener in front of the local agent.
 *
 * @param listen where others reach the agent
 * @param agent where the agent itself listens
 */
public record Inbound(Listen listen, Destination agent) {}
