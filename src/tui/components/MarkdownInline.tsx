/**
 * Markdown within a line: emphasis, code, links.
 *
 * @since 0.1.0
 */
import { Text } from "ink"
import type { Token } from "marked"
import type { ReactNode } from "react"
import * as Theme from "../Theme.ts"

/**
 * @since 0.1.0
 * @category components
 */
export const Inline = ({ tokens }: { readonly tokens: ReadonlyArray<Token> }) => (
  <>
    {tokens.map((token, index) => (
      // Pieces of a line have no identity but their place.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <Piece key={index} token={token} />
    ))}
  </>
)

/** The parser's union is open: a token's type says which of its members it is. */
const Piece = ({ token }: { readonly token: Token }): ReactNode => {
  const inner = "tokens" in token && token.tokens !== undefined ? <Inline tokens={token.tokens} /> : textOf(token)
  switch (token.type) {
    case "strong":
      return <Text bold>{inner}</Text>
    case "em":
      return <Text italic>{inner}</Text>
    case "del":
      return <Text strikethrough>{inner}</Text>
    case "codespan":
      return <Text color={Theme.color.accent}>{textOf(token)}</Text>
    case "br":
      return "\n"
    case "link":
      return (
        <Text>
          <Text underline>{inner}</Text>
          {token.href === token.text || token.href === `mailto:${token.text}` ? null : (
            <Text dimColor>{` (${token.href})`}</Text>
          )}
        </Text>
      )
    case "image":
      return <Text dimColor>{`[image: ${token.text || token.href}]`}</Text>
    default:
      return <Text>{inner}</Text>
  }
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " }

const textOf = (token: Token): string => {
  const text: string = "text" in token ? token.text : token.raw
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => entities[name] ?? whole)
}
