/**
 * What a person is asked: whether a tool may run, and what servers want of the model or of them.
 *
 * @since 0.1.0
 */
import type { Answer, PermissionRequest } from "../engine/Permission.ts"
import type { Origin } from "../mcp/ClientFeatures.ts"
import type * as Elicitation from "../mcp/Elicitation.ts"
import type * as Sampling from "../mcp/Sampling.ts"

/**
 * A question that waits.
 *
 * - `Tool`: may it run
 * - `Sampling`: may the model answer what a server asks it
 * - `Form`: a server wants it to be filled in
 * - `Page`: a server wants it to be visited
 *
 * @since 0.1.0
 * @category models
 */
export type Question = { readonly id: number } & Subject

/**
 * @since 0.1.0
 * @category models
 */
export type Subject =
  | { readonly _tag: "Tool"; readonly request: PermissionRequest }
  | { readonly _tag: "Sampling"; readonly request: Sampling.Request; readonly origin: Origin }
  | { readonly _tag: "Form"; readonly request: Elicitation.FormRequest; readonly origin: Origin }
  | { readonly _tag: "Page"; readonly request: Elicitation.UrlRequest; readonly origin: Origin }

/**
 * The answer: a permission, or what a form or page came to.
 *
 * @since 0.1.0
 * @category models
 */
export type Reply = Answer | Elicitation.FormAnswer | Elicitation.UrlAnswer

/**
 * A line of the dialog that can be chosen; `key` picks it at once, as does its number.
 *
 * @since 0.1.0
 * @category models
 */
export interface Choice {
  readonly key: string
  readonly answer: Answer["_tag"] | Elicitation.UrlAnswer["action"] | "Word"
}

const permissions: ReadonlyArray<Choice> = [
  { key: "y", answer: "Once" },
  { key: "s", answer: "Session" },
  { key: "a", answer: "Always" },
  { key: "n", answer: "Deny" }
]

const choicesByTag: Readonly<Record<Question["_tag"], ReadonlyArray<Choice>>> = {
  Tool: [...permissions, { key: "w", answer: "Word" }],
  Sampling: permissions,
  Page: [
    { key: "n", answer: "decline" },
    { key: "l", answer: "cancel" },
    { key: "o", answer: "accept" }
  ],
  Form: []
}

/**
 * The choices, in the order shown. Where a rule wants the question, "always" would not be heard. A page is opened by none that
 * Enter alone would take.
 *
 * @since 0.1.0
 * @category getters
 */
export const choices = (question: Question): ReadonlyArray<Choice> =>
  question._tag === "Tool" && question.request.rule !== undefined
    ? choicesByTag.Tool.filter(({ answer }) => answer !== "Always")
    : choicesByTag[question._tag]

/**
 * What Esc answers; nothing where it stops the run instead.
 *
 * @since 0.1.0
 * @category getters
 */
export const onEscape = ({ _tag }: Question): Reply | undefined => {
  if (_tag === "Tool") return undefined
  return _tag === "Sampling" ? { _tag: "Deny" } : { action: "cancel" }
}
