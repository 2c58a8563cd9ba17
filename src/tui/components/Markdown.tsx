/**
 * Markdown on the screen. The module brings a parser and a highlighter with it: it is loaded after the first frame.
 *
 * @since 0.1.0
 */
import { Box, Text } from "ink"
import { lexer, type Token, type Tokens } from "marked"
import { memo, type ReactNode } from "react"
import { visible } from "../../mcp/VisibleText.ts"
import * as Theme from "../Theme.ts"
import { Code } from "./Code.tsx"
import { Inline } from "./MarkdownInline.tsx"
import { Table } from "./MarkdownTable.tsx"

/**
 * @since 0.1.0
 * @category models
 */
export interface MarkdownProps {
  readonly text: string
  readonly width: number
}

/**
 * @since 0.1.0
 * @category components
 */
export const Markdown = memo(({ text, width }: MarkdownProps) => (
  <Blocks tokens={lexer(visible(text, { newlines: true }))} width={width} />
))

const Blocks = ({ tokens, width }: { readonly tokens: ReadonlyArray<Token>; readonly width: number }) => {
  const blocks = tokens.filter(({ type }) => type !== "space" && type !== "def")
  return (
    <Box flexDirection="column" gap={1}>
      {blocks.map((token, index) => (
        // Blocks of a text have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Block key={index} token={token} width={width} />
      ))}
    </Box>
  )
}

/** The parser's union is open: a token's type says which of its members it is. */
const Block = ({ token, width }: { readonly token: Token; readonly width: number }): ReactNode => {
  switch (token.type) {
    case "heading":
      return (
        <Text bold color={Theme.color.accent}>
          {`${"#".repeat(token.depth)} `}
          <Inline tokens={token.tokens ?? []} />
        </Text>
      )
    case "code":
      return <Code text={token.text} language={token.lang?.split(/\s/)[0]} />
    case "blockquote":
      return <Quote tokens={token.tokens ?? []} width={width} />
    case "list":
      return <List list={token as Tokens.List} width={width} />
    case "table":
      return <Table table={token as Tokens.Table} width={width} />
    case "hr":
      return <Text dimColor>{"─".repeat(Math.min(width, 40))}</Text>
    case "paragraph":
    case "text":
      return <Text>{token.tokens === undefined ? token.text : <Inline tokens={token.tokens} />}</Text>
    default:
      return <Text>{token.raw.trimEnd()}</Text>
  }
}

const Quote = ({ tokens, width }: { readonly tokens: ReadonlyArray<Token>; readonly width: number }) => (
  <Box
    borderStyle="single"
    borderTop={false}
    borderRight={false}
    borderBottom={false}
    borderDimColor
    paddingLeft={1}
    flexDirection="column"
  >
    <Blocks tokens={tokens} width={width - 2} />
  </Box>
)

const List = ({ list, width }: { readonly list: Tokens.List; readonly width: number }) => {
  const first = typeof list.start === "number" ? list.start : 1
  const markWidth = list.ordered ? String(first + list.items.length - 1).length + 2 : 2
  return (
    <Box flexDirection="column" gap={list.loose ? 1 : 0}>
      {list.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of a list have no identity but their place
        <Box key={index}>
          <Box width={markWidth} flexShrink={0}>
            <Text dimColor>{list.ordered ? `${first + index}.`.padStart(markWidth - 1) : markOf(item)}</Text>
          </Box>
          <Box flexDirection="column" flexGrow={1}>
            {item.tokens
              .filter(({ type }) => type !== "space" && type !== "checkbox")
              .map((token, part) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <Block key={part} token={token} width={width - markWidth} />
              ))}
          </Box>
        </Box>
      ))}
    </Box>
  )
}

const markOf = ({ checked, task }: Tokens.ListItem): string => (task ? (checked === true ? "☑" : "☐") : "•")
