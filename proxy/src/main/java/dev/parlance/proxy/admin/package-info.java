/** Loopback admin: health, metrics, configuration, decisions, review. */
@NullMarked
package dev.parlance.proxy.admin;

import org.jspecify.annotations.NullMarked;
