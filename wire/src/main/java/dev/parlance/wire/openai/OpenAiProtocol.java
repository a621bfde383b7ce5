package dev.parlance.wire.openai;

import dev.parlance.policy.pact.NameSet;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.metadata.ContentBlocks;
import java.util.List;

/** OpenAI's protocol: a model calls tools as functions, and answers in the messages of choices. */
record OpenAiProtocol(String name) implements AgentProtocol {
  @SuppressWarnings("StringSplitter") // on blanks, of a text of our own
  private static final NameSet MEMBERS =
      NameSet.of(
          List.of(
              """
              model messages role content name tool_calls tool_call_id id type function arguments
              parameters strict description refusal audio frequency_penalty presence_penalty
              logit_bias logprobs top_logprobs max_tokens max_completion_tokens n modalities
              parallel_tool_calls prediction reasoning_effort response_format json_schema schema
              seed service_tier stop store stream stream_options include_usage temperature top_p
              top_k min_p tools tool_choice user metadata verbosity web_search_options object
              created choices index message delta finish_reason usage prompt_tokens
              completion_tokens total_tokens prompt_tokens_details completion_tokens_details
              cached_tokens audio_tokens reasoning_tokens accepted_prediction_tokens
              rejected_prediction_tokens system_fingerprint annotations url_citation url title
              start_index end_index text image_url detail file file_id filename file_data
              input_audio data format input instructions output output_text created_at
              completed_at status error code param incomplete_details reason max_output_tokens
              max_tool_calls previous_response_id conversation prompt variables version reasoning
              effort summary encrypted_content include background truncation safety_identifier
              prompt_cache_key call_id action query queries sources results attributes score item
              item_id output_index content_index part sequence_number response input_tokens
              output_tokens input_tokens_details output_tokens_details function_call phase
              obfuscation echo best_of suffix moderation billing payer token bytes
              """
                  .strip()
                  .split("\\s+")));

  static final AgentProtocol INSTANCE = new OpenAiProtocol("openai");

  /** Calls of tools count wherever in the document they stand. */
  @Override
  public NameSet members() {
    return MEMBERS;
  }

  @Override
  public void names(JsonDocument json, Content into) {
    ContentBlocks.names(json, into);
    for (int node = json.root(); node < json.nodes(); node++) {
      if (json.isName(node)
          && json.nameEquals(node, "function")
          && json.member(node + 1, "arguments") != JsonDocument.NONE) {
        int name = json.member(node + 1, "name");
        if (!json.isString(name)) {
          into.namelessTool();
          return;
        }
        into.tool(name);
      }
    }
  }

  @Override
  public void answer(JsonDocument json, Content into) {
    int choices = json.member(json.root(), "choices");
    for (int choice = json.firstElement(choices);
        choice != JsonDocument.NONE;
        choice = json.nextElement(choices, choice)) {
      int content = json.member(json.member(choice, "message"), "content");
      if (json.isString(content)) {
        into.text(content);
      }
      ContentBlocks.texts(json, content, into);
    }
  }
}
