/** ASP header text to and from {@code AspHeader}; hex digits live only here. */
@NullMarked
package dev.parlance.policy.header;

import org.jspecify.annotations.NullMarked;
