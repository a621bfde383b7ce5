-- The reading pass as HAProxy's own scripting language allows it: words of question, answer and
-- context as sets, and how much of the answer stands in the context and in the question. It does
-- less than a sidecar: no check of the JSON, no case folding beyond ASCII, no citations, no
-- verdict, no log.

local function add_words(text, set)
  local count = 0
  for word in string.gmatch(string.lower(text), "%w+") do
    if not set[word] then
      set[word] = true
      count = count + 1
    end
  end
  return count
end

-- The string behind a member's name from a position on, and the position where it ends.
local function member(body, name, from)
  local _, start = string.find(body, '"' .. name .. '":"', from, true)
  if not start then
    return nil, from
  end
  local at = start + 1
  while true do
    local found = string.find(body, '["\\]', at)
    if not found then
      return nil, from
    end
    if string.byte(body, found) == 34 then
      return string.sub(body, start + 1, found - 1), found
    end
    at = found + 2
  end
end

core.register_action("read_question", { "http-req" }, function(txn)
  local body = txn.f:req_body()
  local text = body and member(body, "text", 1)
  if text then
    txn:set_var("txn.question_words", add_words(text, {}))
  end
end)

core.register_action("read_answer", { "http-res" }, function(txn)
  local body = txn.f:res_body()
  if not body then
    return
  end
  local answer, at = member(body, "text", 1)
  if not answer then
    return
  end
  local said, context, question = {}, {}, {}
  local count = add_words(answer, said)
  local asked
  asked, at = member(body, "question", at)
  if asked then
    add_words(asked, question)
  end
  local chunk
  chunk, at = member(body, "text", at)
  while chunk do
    add_words(chunk, context)
    chunk, at = member(body, "text", at)
  end
  local in_context, in_question = 0, 0
  for word in pairs(said) do
    if context[word] then
      in_context = in_context + 1
    end
    if question[word] then
      in_question = in_question + 1
    end
  end
  txn.http:res_set_header("asp-signal", string.format(
    "lua; words=%d; context=%.3f; question=%.3f",
    count, in_context / count, in_question / count))
end)
