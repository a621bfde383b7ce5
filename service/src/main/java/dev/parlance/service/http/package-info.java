/** A small HTTP server for a few clients: admin pages, probes, the ledger's tiles, a webhook. */
@NullMarked
package dev.parlance.service.http;

import org.jspecify.annotations.NullMarked;
