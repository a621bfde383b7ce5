/** Tokens of service accounts, reviewed by the API server. */
@NullMarked
package dev.parlance.inject.token;

import org.jspecify.annotations.NullMarked;
