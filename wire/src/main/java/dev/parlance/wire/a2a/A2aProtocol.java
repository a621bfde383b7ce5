package dev.parlance.wire.a2a;

import dev.parlance.policy.pact.NameSet;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.MemberName;
import java.util.List;

/**
 * A version of A2A: what its messages name stands in parts and in metadata.
 *
 * @param isProtobuf true if messages are protobuf, and their JSON says the same
 */
record A2aProtocol(String name, boolean isProtobuf) implements AgentProtocol {
  @SuppressWarnings("StringSplitter") // on blanks, of a text of our own
  private static final NameSet MEMBERS =
      NameSet.of(
          List.of(
              """
              jsonrpc id method params result error code message data details reason domain field
              fieldViolations violations task statusUpdate artifactUpdate msg parts content
              metadata extensions messageId contextId taskId role kind type referenceTaskIds
              artifacts artifact artifactId status history state timestamp name description final
              append lastChunk index text raw url file mediaType filename mimeType bytes uri
              fileWithBytes fileWithUri tasks configuration tenant request historyLength
              acceptedOutputModes blocking returnImmediately pushNotificationConfig
              taskPushNotificationConfig pushNotificationConfigId configs config token
              authentication scheme schemes credentials pageSize pageToken nextPageToken totalSize
              lastUpdatedAfter statusTimestampAfter includeArtifacts createTime lastModified
              update unknownFields supportedInterfaces additionalInterfaces preferredTransport
              protocolBinding protocolVersion transport provider organization version
              documentationUrl iconUrl capabilities streaming pushNotifications
              stateTransitionHistory extendedAgentCard required supportsAuthenticatedExtendedCard
              securitySchemes security securityRequirements defaultInputModes defaultOutputModes
              skills tags examples inputModes outputModes signatures protected signature header
              @type title detail instance
              """
                  .strip()
                  .split("\\s+")));

  private static final long NO_ANSWER = MemberName.set(MemberName.HISTORY, MemberName.METADATA);
  private static final long FILES = MemberName.set(MemberName.RAW, MemberName.URL, MemberName.FILE);

  @Override
  public NameSet members() {
    return MEMBERS;
  }

  @Override
  public void names(JsonDocument json, Content into) {
    walk(json, /* isAnswer= */ false, into);
    if (isProtobuf && hasTextBesideSchema(json)) {
      into.opaque();
    }
  }

  private static boolean hasTextBesideSchema(JsonDocument json) {
    for (int node = json.root(); node < json.nodes(); node++) {
      if (json.isName(node) && json.nameEquals(node, ProtoJson.BESIDE)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void answer(JsonDocument json, Content into) {
    walk(json, /* isAnswer= */ true, into);
  }

  private static void walk(JsonDocument json, boolean isAnswer, Content into) {
    int node = json.root();
    while (node < json.nodes()) {
      int value = node + 1;
      if (!json.isName(node)) {
        node++;
      } else if (isAnswer && json.isAmong(node, NO_ANSWER)) {
        node = json.skip(value);
      } else if (json.isArray(value) && json.is(node, MemberName.PARTS)) {
        parts(json, value, /* asProtobuf= */ false, into);
        node = json.skip(value);
      } else if (json.isArray(value) && json.is(node, MemberName.CONTENT)) {
        parts(json, value, /* asProtobuf= */ true, into);
        node = json.skip(value);
      } else if (json.isObject(value) && json.is(node, MemberName.METADATA)) {
        into.metadata(value);
        node = json.skip(value);
      } else {
        node = value;
      }
    }
  }

  private static void parts(JsonDocument json, int array, boolean asProtobuf, Content into) {
    for (int part = json.first(array);
        part != JsonDocument.NONE;
        part = json.nextElement(array, part)) {
      for (int name = json.isObject(part) ? json.first(part) : JsonDocument.NONE;
          name != JsonDocument.NONE;
          name = json.nextName(part, name)) {
        part(json, name, asProtobuf, into);
      }
    }
  }

  /** A member of a part; data in protobuf stand one level deeper. */
  private static void part(JsonDocument json, int name, boolean asProtobuf, Content into) {
    int value = name + 1;
    if (json.is(name, MemberName.DATA)) {
      int inner = asProtobuf ? json.member(value, MemberName.DATA) : JsonDocument.NONE;
      into.data(inner == JsonDocument.NONE ? value : inner);
    } else if (json.is(name, MemberName.TEXT)) {
      if (json.isString(value)) {
        into.text(value);
      }
    } else if (json.is(name, MemberName.METADATA)) {
      into.metadata(value);
    } else if (json.isAmong(name, FILES)) {
      into.opaque();
    }
  }
}
