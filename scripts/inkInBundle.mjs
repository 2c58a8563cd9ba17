/**
 * Ink as it goes into the bundle: without React's developer tools, which it loads when DEV is set and which are no part of a
 * build; with what it has worked out about a line kept for the next frame, where it would forget it after each, so that a frame
 * of which one line has changed costs half; and with lines cut to the width that is asked for, where a wide character at the
 * cut would make them a column wider, and break the frame.
 */
import { readFile } from "node:fs/promises"

/** Lines beyond this are forgotten, all at once. */
const mostLines = 5_000

/** What is replaced in which file. */
const changes = [
  {
    file: /ink[\\/]build[\\/]output\.js$/,
    pieces: [
      [
        "    caches = new OutputCaches();\n",
        `    caches = kept.styledChars.size < ${mostLines} ? kept : (kept = new OutputCaches());\n`
      ],
      ["export default", "let kept = new OutputCaches();\nexport default"]
    ]
  },
  {
    file: /ink[\\/]build[\\/]wrap-text\.js$/,
    pieces: [
      ["import cliTruncate", "import stringWidth from 'string-width';\nimport cliTruncate"],
      [
        "        wrappedText = cliTruncate(text, maxWidth, { position });\n",
        `        wrappedText = cliTruncate(text, maxWidth, { position });
        if (stringWidth(wrappedText) > maxWidth) wrappedText = cliTruncate(text, maxWidth - 1, { position });
`
      ]
    ]
  }
]

export const inkInBundle = {
  name: "ink-in-bundle",
  setup: ({ onLoad }) => {
    onLoad({ filter: /ink[\\/]build[\\/]devtools\.js$/ }, () => ({ contents: "" }))
    for (const { file, pieces } of changes) {
      onLoad({ filter: file }, async ({ path }) => ({
        contents: pieces.reduce(
          (source, [before, after]) => {
            if (!source.includes(before)) throw new Error(`${path} is not the Ink that this was written for`)
            return source.replace(before, () => after)
          },
          await readFile(path, "utf8")
        )
      }))
    }
  }
}
