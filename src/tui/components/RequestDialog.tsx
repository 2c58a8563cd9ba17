/**
 * What a server wants of the model or of a page, and the answers: everything that it wrote is shown with its invisible
 * characters written out.
 *
 * @since 0.1.0
 */
import { Text } from "ink"
import wrapAnsi from "wrap-ansi"
import type * as Elicitation from "../../mcp/Elicitation.ts"
import type * as Sampling from "../../mcp/Sampling.ts"
import { oneLine, visible } from "../../mcp/VisibleText.ts"
import * as PageAddress from "../PageAddress.ts"
import { choices, type Question } from "../Question.ts"
import type { Dialog } from "../UiState.ts"
import { Choice, Frame, Scrolled } from "./Dialog.tsx"

/**
 * @since 0.1.0
 * @category models
 */
export interface RequestDialogProps {
  readonly question: Extract<Question, { readonly _tag: "Sampling" | "Page" }>
  readonly dialog: Dialog
  readonly columns: number
  /** How many rows there are for it. */
  readonly height: number
  readonly plain: boolean
}

/**
 * @since 0.1.0
 * @category components
 */
export const RequestDialog = ({ columns, dialog, height, plain, question }: RequestDialogProps) => {
  const all = choices(question)
  // Frame, title, server, two blank lines, and the choices.
  const chrome = (plain ? 4 : 6) + all.length
  const lines = linesOf(question).flatMap((line) =>
    wrapAnsi(visible(line, { newlines: true }).replaceAll("\t", "  "), Math.max(20, columns - 7), {
      hard: true,
      trim: false
    }).split("\n")
  )
  return (
    <Frame title={titles[question._tag]} waiting={dialog.waiting} columns={columns} plain={plain}>
      <Text wrap="truncate-end">
        {"asked by the server "}
        <Text bold>{oneLine(question.origin.server)}</Text>
      </Text>
      <Scrolled lines={lines} scroll={dialog.scroll} height={Math.max(1, height - chrome)} />
      {all.map((choice, index) => (
        <Choice
          key={choice.key}
          selected={index === dialog.choice}
          label={`${choice.key}  ${label(question, choice.answer)}`}
        />
      ))}
    </Frame>
  )
}

const titles = { Sampling: "Let the model answer a server?", Page: "Open this page?" }

const label = ({ _tag, origin, request }: RequestDialogProps["question"], answer: string): string => {
  const server = oneLine(origin.server)
  switch (answer) {
    case "Once":
      return "allow this request"
    case "Session":
      return `allow what ${server} asks in this session`
    case "Always":
      return `always allow what ${server} asks`
    case "accept":
      return _tag === "Page" ? `open ${oneLine(request.url.host)} in the browser` : ""
    case "cancel":
      return "not now"
    default:
      return "deny"
  }
}

const linesOf = (question: RequestDialogProps["question"]): ReadonlyArray<string> =>
  question._tag === "Page" ? pageLines(question.request) : samplingLines(question.request)

const pageLines = ({ message, url }: Elicitation.UrlRequest): ReadonlyArray<string> => [
  url.href,
  `host: ${url.host}`,
  ...PageAddress.warnings(url).map((warning) => `warning: ${warning}`),
  "",
  message
]

const samplingLines = ({ maxTokens, messages, systemPrompt, tools = [] }: Sampling.Request): ReadonlyArray<string> => [
  `at most ${maxTokens} tokens${tools.length === 0 ? "" : `; with its tools ${tools.map(({ name }) => name).join(", ")}`}`,
  "",
  ...(systemPrompt === undefined ? [] : [`system: ${systemPrompt}`]),
  ...messages.flatMap(({ content, role }) => content.map((block) => `${role}: ${blockText(block)}`))
]

const blockText = (block: Sampling.Block): string => {
  switch (block.type) {
    case "text":
      return block.text
    case "tool_use":
      return `[call of ${block.name}] ${JSON.stringify(block.input)}`
    case "tool_result":
      return block.content.map(blockText).join("\n")
    case "resource":
      return block.resource.text ?? `[resource ${block.resource.uri}]`
    default:
      return `[${block.type}]`
  }
}
