/** The public golden vectors of the ASP paper's signals, convention {@code asp-text-1}. */
@NullMarked
package dev.parlance.policy.golden;

import org.jspecify.annotations.NullMarked;
