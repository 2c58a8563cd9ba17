/**
 * Secrets of a test file and everything that harness9 said in it: servers note the ones that they issue and receive, whoever runs
 * harness9 tells what came out. At the end of each file none of the former may be in the latter (`setup.ts`).
 */
import type { IncomingHttpHeaders } from "node:http"

const secrets = new Map<string, string>()
const outputs: Array<string> = []

/** A shorter value is found in any text by chance. */
const shortest = 6

/** Takes note of a secret. `what` stands for it in the report. */
export const note = (what: string, secret: unknown): void => {
  if (typeof secret === "string" && secret.length >= shortest) secrets.set(secret, what)
}

/** What harness9 printed, logged, failed with or gave out; anything but a text as JSON and as a text. */
export const said = (output: unknown): void => {
  if (typeof output === "string") outputs.push(output)
  else outputs.push(JSON.stringify(output) ?? "", String(output))
}

/** What was said is forgotten with the secrets: for a test that says one on purpose. */
export const forget = (): void => {
  secrets.clear()
  outputs.length = 0
}

/** The kinds of secrets that were said, each with a bit of where. */
export const found = (): ReadonlyArray<string> => {
  const all = outputs.map(withoutLoginPages)
  return [...secrets].flatMap(([secret, what]) => {
    const output = all.find((text) => text.includes(secret))
    return output === undefined ? [] : [`${what} in: ${excerpt(output, secret)}`]
  })
}

/** The parameters of a login and of a token request that nobody else may know. */
const parameters = [
  "assertion",
  "client_assertion",
  "client_secret",
  "code",
  "code_verifier",
  "refresh_token",
  "state",
  "subject_token",
  "token"
]

const fields = ["access_token", "client_secret", "id_token", "refresh_token", "registration_access_token"]

/** Notes the secrets of a request: its credentials, and the parameters of its address and of its form. */
export const noteRequest = (path: string, headers: IncomingHttpHeaders, body: string): void => {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^(?:authorization|cookie|dpop|x-.*)$/.test(name) || typeof value !== "string") continue
    const credentials = value.split(" ").at(-1) ?? ""
    note(`the field ${name}`, credentials)
    if (/^basic /i.test(value)) note("a client's secret", Buffer.from(credentials, "base64").toString().split(":")[1])
  }
  const form = headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true ? body : ""
  for (const given of [new URL(path, "http://localhost").searchParams, new URLSearchParams(form)]) {
    for (const name of parameters) note(`the parameter ${name}`, given.get(name))
  }
}

/** Notes what an authorization server gives out. */
export const noteReply = (body: unknown): void => {
  if (typeof body !== "object" || body === null) return
  for (const [name, value] of Object.entries(body)) if (fields.includes(name)) note(`the field ${name}`, value)
}

/** The address of the page to log in on is for the person: the state in it is no secret there. */
const withoutLoginPages = (text: string): string =>
  text.includes("code_challenge=")
    ? text
        .split(/(\s+)/)
        .map((word) => (/[?&]code_challenge=/.test(word) ? "(login page)" : word))
        .join("")
    : text

const excerpt = (output: string, secret: string): string => {
  const at = output.indexOf(secret)
  return JSON.stringify(output.slice(Math.max(0, at - 80), at).slice(-80))
}
