/**
 * Makes the built-in model: texts, training, quantisation, the ONNX file. Runs in the build only.
 */
@NullMarked
package dev.parlance.encoder.train;

import org.jspecify.annotations.NullMarked;
