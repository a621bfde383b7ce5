/** Codec of the OpenAI chat completion, completion and response protocols. */
@NullMarked
package dev.parlance.wire.openai;

import org.jspecify.annotations.NullMarked;
