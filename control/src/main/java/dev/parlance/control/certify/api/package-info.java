/** Plans, questions and audits: their protobuf form in the protocol and in the store. */
@NullMarked
package dev.parlance.control.certify.api;

import org.jspecify.annotations.NullMarked;
