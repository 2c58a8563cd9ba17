/**
 * What a key press asks of the world outside of the UI's state.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import type { Wanted } from "../engine/ServerPrompts.ts"
import type { Reply } from "./Question.ts"

/**
 * - `Ask`: a prompt for the model
 * - `Shell`: a person's own shell command
 * - `Cancel`: stop what runs
 * - `Remember`: keep a prompt for later sessions
 * - `FindFiles`: look up the files and resources of a completion
 * - `FindValues`: ask a server for the values of a prompt's argument
 * - `EditConfig`: give the terminal to the editor
 * - `UseModel`: take another model
 * - `Login`: log in at a server
 * - `PasteAddress`: the address that a browser ended at after a login
 * - `Suspend`: stop the program until the shell continues it
 * - `Approve`: the person agrees to what a project's entry starts
 * - `AcceptTool`: the person accepts a tool that is not what it was
 * - `Resume`: go on with a session; without a name: show those that there are
 * - `Compact`: have the conversation summed up
 * - `Repaint`: draw the screen anew
 *
 * @since 0.1.0
 * @category models
 */
export type Intent = Data.TaggedEnum<{
  Ask: { readonly prompt: string }
  Shell: { readonly command: string }
  Cancel: {}
  Quit: {}
  Clear: {}
  Remember: { readonly prompt: string }
  FindFiles: { readonly start: number; readonly prefix: string }
  FindValues: {
    readonly start: number
    readonly prefix: string
    readonly command: string
    readonly wanted: Extract<Wanted, { readonly _tag: "Values" }>
  }
  EditConfig: {}
  UseModel: { readonly name: string }
  Login: { readonly server: string }
  PasteAddress: { readonly server: string; readonly address: string }
  Suspend: {}
  Reconnect: { readonly server: string }
  SetEnabled: { readonly server: string; readonly enabled: boolean }
  Approve: { readonly server: string }
  AcceptTool: { readonly server: string; readonly tool: string }
  Answer: { readonly id: number; readonly answer: Reply }
  Resume: { readonly id: string | undefined }
  Compact: { readonly focus: string | undefined }
  Repaint: {}
}>

/**
 * @since 0.1.0
 * @category constructors
 */
export const Intent = Data.taggedEnum<Intent>()
