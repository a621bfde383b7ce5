/** Models in ONNX files: their manifests and tokenizers, and the runtime as it is used here. */
@NullMarked
package dev.parlance.onnx;

import org.jspecify.annotations.NullMarked;
