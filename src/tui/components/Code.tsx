/**
 * A block of code, with the colours of its language.
 *
 * @since 0.1.0
 */
import { Box, Text } from "ink"
import { common, createLowlight } from "lowlight"
import { memo, type ReactNode } from "react"

/** What the highlighter gives: a tree of pieces of text, each with the classes of its kind. */
type Nodes = ReturnType<ReturnType<typeof createLowlight>["highlight"]>["children"]

const lowlight = createLowlight(common)

/** From here on colours cost more than they tell. */
const longest = 20_000

/**
 * @since 0.1.0
 * @category components
 */
export const Code = memo((props: { readonly text: string; readonly language: string | undefined }) => {
  const { language, text } = props
  const colored = language !== undefined && lowlight.registered(language) && text.length <= longest
  return (
    <Box paddingLeft={2}>
      <Text>{colored ? render(lowlight.highlight(language, text).children) : text}</Text>
    </Box>
  )
})

const render = (nodes: Nodes): ReactNode =>
  nodes.map((node, index) => {
    if (node.type === "text") return node.value
    if (node.type !== "element") return null
    const classes = node.properties.className
    const kind = Array.isArray(classes) ? String(classes[0]).replace("hljs-", "") : ""
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of code have no identity but their place
      <Text key={index} {...(styles[kind] ?? {})}>
        {render(node.children)}
      </Text>
    )
  })

interface Style {
  readonly color?: string
  readonly dimColor?: boolean
  readonly bold?: boolean
}

const styles: Readonly<Record<string, Style>> = {
  addition: { color: "green" },
  attr: { color: "cyan" },
  built_in: { color: "cyan" },
  comment: { dimColor: true },
  deletion: { color: "red" },
  keyword: { color: "magenta" },
  literal: { color: "yellow" },
  meta: { dimColor: true },
  name: { color: "cyan" },
  number: { color: "yellow" },
  quote: { dimColor: true },
  regexp: { color: "green" },
  section: { bold: true },
  string: { color: "green" },
  symbol: { color: "yellow" },
  title: { bold: true },
  type: { color: "yellow" },
  variable: { color: "cyan" }
}
