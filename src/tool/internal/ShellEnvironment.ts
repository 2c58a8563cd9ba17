/**
 * The environment of a shell command that a model has asked for: the person's own, without the keys of models. The command needs
 * what builds and tests need; what pays for the model is harness9's alone.
 */

const provider =
  "ANTHROPIC|CLAUDE|OPENAI|AZURE_OPENAI|GEMINI|GOOGLE_(?:AI|GENERATIVE_AI)|MISTRAL|GROQ|XAI|DEEPSEEK|OPENROUTER|COHERE|TOGETHER|FIREWORKS|PERPLEXITY|CEREBRAS|MOONSHOT|DASHSCOPE|HUGGING_?FACE(?:_HUB)?|HF"

const modelKey = new RegExp(`^(?:${provider})_(?:\\w+_)?(?:KEY|TOKEN|SECRET)$`, "i")

export const make = (host: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(host).filter(
      (variable): variable is [string, string] => variable[1] !== undefined && !modelKey.test(variable[0])
    )
  )
