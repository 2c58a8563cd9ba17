/**
 * The person, as servers meet them: whoever can be shown what a server wants of the program, and answer. A UI implements it.
 *
 * Questions come while tools run, several at once: a UI shows them one after the other. Interrupting one takes it back.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Origin } from "../mcp/ClientFeatures.ts"
import type * as Elicitation from "../mcp/Elicitation.ts"
import type * as Sampling from "../mcp/Sampling.ts"
import type { Answer } from "./Permission.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Whether the model may answer what a server asks it; `Session` and `Always` are for all that this server will ask. */
  readonly sampling: (request: Sampling.Request, origin: Origin) => Effect.Effect<Answer>
  /** A form that a server wants to be filled in. */
  readonly form: (request: Elicitation.FormRequest, origin: Origin) => Effect.Effect<Elicitation.FormAnswer>
  /** Whether a page may be opened. Opening it is not the UI's: it happens after `accept`. */
  readonly url: (request: Elicitation.UrlRequest, origin: Origin) => Effect.Effect<Elicitation.UrlAnswer>
  /** Something that needs no answer. */
  readonly tell: (text: string) => Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Person extends Context.Tag("harness9/Person")<Person, Service>() {}
