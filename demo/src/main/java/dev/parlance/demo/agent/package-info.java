/** The two agents, on the classes of the official A2A Java SDK, behind a small HTTP server. */
@NullMarked
package dev.parlance.demo.agent;

import org.jspecify.annotations.NullMarked;
