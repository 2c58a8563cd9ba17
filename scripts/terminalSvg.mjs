/**
 * A terminal's screen, as `tmux capture-pane -e` gives it, drawn as an SVG that looks the same wherever it is shown.
 */
import stringWidth from "string-width"

const cell = { width: 8.4, height: 20 }
const margin = { x: 20, top: 48, bottom: 18 }
const fonts =
  "ui-monospace, 'SF Mono', SFMono-Regular, 'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"

const background = "#14161d"
const foreground = "#d5d9e4"
const palette = [
  ...["#3b4048", "#e8697a", "#8fc46d", "#dcb463", "#6fa8f5", "#c586e0", "#56b9c4", "#d5d9e4"],
  ...["#767f90", "#ff7b8a", "#9fdc7a", "#f2cd6b", "#8bbcff", "#d9a1f2", "#74d7e2", "#ffffff"]
]

/** The screen as an SVG document in a window frame with a title. */
export const terminalSvg = (screen, { columns, title }) => {
  const lines = runsOf(screen.replace(/\s+$/, "").split("\n"))
  const width = Math.ceil(columns * cell.width + 2 * margin.x)
  const height = margin.top + lines.length * cell.height + margin.bottom
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (color, index) => `<circle cx="${22 + index * 20}" cy="22" r="6" fill="${color}"/>`
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${background}" stroke="#2c303b"/>`,
    ...dots,
    `<text x="${width / 2}" y="27" text-anchor="middle" font-family="system-ui, sans-serif" font-size="13" fill="#8b93a5">${escaped(title)}</text>`,
    `<g font-family="${fonts}" font-size="14" xml:space="preserve">`,
    ...lines.flatMap((runs, row) => runs.map((run) => drawn(run, row))),
    "</g>",
    "</svg>",
    ""
  ].join("\n")
}

const plain = {
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
  color: undefined,
  on: undefined
}

/** The pieces of each line that look alike, each with the column that it begins in. A look lasts beyond the end of its line. */
const runsOf = (lines) => {
  let style = plain
  return lines.map((line) => {
    const runs = []
    let column = 0
    for (const piece of line.replace(links, "").split(/(\x1b\[[\d;]*m)/)) {
      const codes = /^\x1b\[([\d;]*)m$/.exec(piece)?.[1]
      if (codes !== undefined) style = styled(style, codes)
      else if (piece !== "") {
        runs.push({ text: piece, style, column })
        column += stringWidth(piece)
      }
    }
    return runs
  })
}

const links = /\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)/g

const styled = (before, codes) => {
  const rest = codes === "" ? [0] : codes.split(";").map(Number)
  let style = before
  while (rest.length > 0) {
    const code = rest.shift()
    if (code === 0) style = plain
    else if (code === 38 || code === 48) style = { ...style, [code === 38 ? "color" : "on"]: extended(rest) }
    else style = { ...style, ...simple(code) }
  }
  return style
}

const switches = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  39: { color: undefined },
  49: { on: undefined }
}

const simple = (code) => {
  if (code >= 30 && code <= 37) return { color: palette[code - 30] }
  if (code >= 90 && code <= 97) return { color: palette[code - 82] }
  if (code >= 40 && code <= 47) return { on: palette[code - 40] }
  if (code >= 100 && code <= 107) return { on: palette[code - 92] }
  return switches[code]
}

/** The colours after 38 and 48: `5;INDEX` and `2;RED;GREEN;BLUE`. */
const extended = (rest) => {
  if (rest.shift() === 2) return `rgb(${rest.splice(0, 3).join(",")})`
  const index = rest.shift()
  if (index < 16) return palette[index]
  if (index >= 232)
    return `rgb(${Array(3)
      .fill(8 + 10 * (index - 232))
      .join(",")})`
  const level = (value) => (value === 0 ? 0 : 55 + 40 * value)
  const cube = index - 16
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level).join(",")})`
}

const drawn = ({ column, style, text }, row) => {
  const x = margin.x + column * cell.width
  const y = margin.top + row * cell.height
  const width = stringWidth(text) * cell.width
  const [color, on] = style.inverse
    ? [style.on ?? background, style.color ?? foreground]
    : [style.color ?? foreground, style.on]
  const box = on === undefined ? "" : `<rect x="${x}" y="${y}" width="${width}" height="${cell.height}" fill="${on}"/>`
  const looks = [
    style.bold ? ' font-weight="bold"' : "",
    style.italic ? ' font-style="italic"' : "",
    style.underline ? ' text-decoration="underline"' : "",
    style.dim ? ' opacity="0.6"' : ""
  ].join("")
  const rules = Array.from(text).map((char, index) => ruled(char, x + index * cell.width, y))
  const path = rules.filter((rule) => rule !== undefined).join("")
  const lines =
    path === ""
      ? ""
      : `<path d="${path}" fill="none" stroke="${color}" stroke-width="1.2"${style.dim ? ' opacity="0.6"' : ""}/>`
  return (
    box +
    lines +
    words(text)
      .map((word) => lettered(word, x, y, `fill="${color}"${looks}`))
      .join("")
  )
}

/** Lines of frames meet those of the next cell, as no font's do at every line height. */
const ruled = (char, x, y) => {
  const [left, right, top, bottom] = [x, x + cell.width, y, y + cell.height].map((value) => value.toFixed(1))
  const [middle, centre] = [(x + cell.width / 2).toFixed(1), (y + cell.height / 2).toFixed(1)]
  switch (char) {
    case "─":
      return `M${left} ${centre}H${right}`
    case "│":
      return `M${middle} ${top}V${bottom}`
    case "╭":
      return `M${middle} ${bottom}Q${middle} ${centre} ${right} ${centre}`
    case "╮":
      return `M${middle} ${bottom}Q${middle} ${centre} ${left} ${centre}`
    case "╰":
      return `M${middle} ${top}Q${middle} ${centre} ${right} ${centre}`
    case "╯":
      return `M${middle} ${top}Q${middle} ${centre} ${left} ${centre}`
    default:
      return undefined
  }
}

/** The text without lines of frames and outer blanks, each piece with the columns before it. */
const words = (text) =>
  [...text.matchAll(/[^\s─│╭╮╰╯](?:[^─│╭╮╰╯]*[^\s─│╭╮╰╯])?/g)].map((match) => ({
    text: match[0],
    before: stringWidth(text.slice(0, match.index))
  }))

/** The length makes columns meet, whichever font there is. */
const lettered = ({ before, text }, x, y, looks) => {
  const left = (x + before * cell.width).toFixed(1)
  const length = (stringWidth(text) * cell.width).toFixed(1)
  return `<text x="${left}" y="${y + 15}" textLength="${length}" lengthAdjust="spacingAndGlyphs" ${looks}>${escaped(text)}</text>`
}

const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
