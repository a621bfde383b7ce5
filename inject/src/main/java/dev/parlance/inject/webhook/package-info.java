/** The admission webhook: reviews in, answers out, over HTTPS; health and metrics beside it. */
@NullMarked
package dev.parlance.inject.webhook;

import org.jspecify.annotations.NullMarked;
