/**
 * An operator's client of sidecars and control planes, for whatever stands above them: command
 * line, demonstration, measurements. Answers are the messages of the protocol as they came.
 */
@NullMarked
package dev.parlance.client;

import org.jspecify.annotations.NullMarked;
