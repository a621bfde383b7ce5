/** What an agent said: answer, question, evidence. */
@NullMarked
package dev.parlance.policy.message;

import org.jspecify.annotations.NullMarked;
