/** The built-in encoder: how a text becomes the model's input, and where the model is. */
@NullMarked
package dev.parlance.encoder;

import org.jspecify.annotations.NullMarked;
