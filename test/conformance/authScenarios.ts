/**
 * The `auth/` scenarios of the official conformance suites: what a host does to get in, with a browser that says yes to everything.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  Browser,
  HttpTransport,
  LoginPrompt,
  McpAuth,
  McpClient,
  type McpError,
  McpTransport,
  ServerConfig,
  TokenStore
} from "harness9"

/** What the suite gives to the client under test. */
export interface Scenario {
  readonly name: string
  readonly url: string
  readonly context: Readonly<Record<string, string | undefined>>
}

/** Connects, and calls the tool that the suite's server has, twice: some servers change their mind in between. */
export const run = ({ context, name, url }: Scenario): Effect.Effect<void, McpError.McpError> =>
  Effect.gen(function* () {
    const auth = yield* McpAuth.McpAuth
    const config = ServerConfig.http("conformance", { url, oauth: oauthOf(name, context) })
    const transport = yield* HttpTransport.make({
      server: config.name,
      url,
      auth: yield* auth.forServer(config, { interactive: true })
    })
    const client = yield* McpClient.make().pipe(Effect.provideService(McpTransport.McpTransport, transport))
    yield* client.callTool("test-tool", {})
    yield* client.callTool("test-tool", {})
  }).pipe(Effect.scoped, Effect.provide(McpAuth.layer.pipe(Layer.provide(surroundings))))

/** The page of the suite's authorization servers is a redirect: following it is logging in. */
const browser = Layer.succeed(Browser.Browser, {
  open: (url) =>
    Effect.promise(async () => {
      const page = await fetch(url, { redirect: "manual" })
      const location = page.headers.get("location")
      if (location !== null) await fetch(location)
    }).pipe(Effect.forkDaemon, Effect.as(true))
})

const surroundings = Layer.mergeAll(TokenStore.layerMemory, browser, LoginPrompt.layerLog)

const text = (value: string | undefined): ServerConfig.Credential | undefined =>
  value === undefined ? undefined : { _tag: "text", text: value }

const oauthOf = (name: string, context: Scenario["context"]): ServerConfig.OAuth => {
  const client = {
    clientId: context.client_id,
    clientSecret: text(context.client_secret),
    privateKey: text(context.private_key_pem),
    signingAlgorithm: context.signing_algorithm
  }
  switch (name) {
    case "auth/client-credentials-basic":
    case "auth/client-credentials-jwt":
      return { ...client, grant: "client_credentials" }
    case "auth/wif-jwt-bearer":
      return { ...client, grant: "jwt_bearer", assertion: text(context.valid_jwt) }
    case "auth/cross-app-access-complete-flow":
    case "auth/enterprise-managed-authorization":
      return {
        ...client,
        grant: "enterprise",
        identityProvider: {
          tokenEndpoint: context.idp_token_endpoint ?? "",
          clientId: context.idp_client_id ?? "",
          idToken: { _tag: "text", text: context.idp_id_token ?? "" }
        }
      }
    default:
      return {
        ...client,
        grant: "authorization_code",
        clientMetadataUrl: "https://conformance-test.local/client-metadata.json"
      }
  }
}
