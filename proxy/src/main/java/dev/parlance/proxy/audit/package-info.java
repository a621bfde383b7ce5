/** The decision log: one JSON line for each decision, attempt and human action. */
@NullMarked
package dev.parlance.proxy.audit;

import org.jspecify.annotations.NullMarked;
