package dev.parlance.wire.proto;

import java.util.Optional;

/**
 * A field that the sidecar knows, where it stands in a scanned body.
 *
 * @param known what it is
 * @param tagStart offset of its tag
 * @param lengthStart offset of its length, where it has one; of its value otherwise
 * @param start offset of its content
 * @param end offset behind its content
 * @param number value of a BOOL, INT32, INT64 or ENUM; the bits of a DOUBLE
 * @param message what is in it, if it is a message
 */
public record ProtoField(
    ProtoType.Field known,
    int tagStart,
    int lengthStart,
    int start,
    int end,
    long number,
    Optional<ProtoMessage> message) {}
