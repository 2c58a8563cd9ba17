import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import * as ConfigEdit from "../../src/mcp/ConfigEdit.ts"
import { folder } from "../e2e/cli.ts"

const edited = (edit: ConfigEdit.Edit, text: string): string => Either.getOrThrow(edit(text, "/it/.mcp.json"))

const refused = (edit: ConfigEdit.Edit, text: string): string =>
  Either.getOrThrow(Either.flip(edit(text, "/it/.mcp.json"))).message

const entry = { command: "node", args: ["server.mjs"] }

const commented = `// The servers
{
  "mcpServers": {
    // first
    "a": { "command": "x" }, // about a
    /* second */
    "b": {
      "command": "y" // why
    }
    // at the end
  }
}
`

describe("setEntry", () => {
  it("appends an entry in the file's own indentation, and leaves every comment where it is", () => {
    expect(edited(ConfigEdit.setEntry("new", entry), commented)).toBe(`// The servers
{
  "mcpServers": {
    // first
    "a": { "command": "x" }, // about a
    /* second */
    "b": {
      "command": "y" // why
    },
    // at the end
    "new": {
      "command": "node",
      "args": [
        "server.mjs"
      ]
    }
  }
}
`)
  })

  it("replaces an entry in its place", () => {
    expect(edited(ConfigEdit.setEntry("a", { command: "z" }), commented)).toBe(
      commented.replace('{ "command": "x" }', '{\n      "command": "z"\n    }')
    )
  })

  it("keeps tabs, CRLF, the byte order mark and the trailing comma", () => {
    const text = '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"a": {},\r\n\t},\r\n}\r\n'
    expect(edited(ConfigEdit.setEntry("b", { command: "x" }), text)).toBe(
      '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"a": {},\r\n\t\t"b": {\r\n\t\t\t"command": "x"\r\n\t\t},\r\n\t},\r\n}\r\n'
    )
  })

  it("keeps a file of one line on one line", () => {
    expect(edited(ConfigEdit.setEntry("b", { command: "y" }), '{"mcpServers":{"a":{"command":"x"}}}')).toBe(
      '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}}}'
    )
  })

  it("writes a whole document where there is none, and keeps the comments of a file of comments", () => {
    const whole = '{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n'
    expect(edited(ConfigEdit.setEntry("a", { command: "x" }), "")).toBe(whole)
    expect(edited(ConfigEdit.setEntry("a", { command: "x" }), "// mine\n")).toBe(`// mine\n${whole}`)
  })

  it("adds mcpServers to a file that has other things alone", () => {
    expect(edited(ConfigEdit.setEntry("a", { command: "x" }), '{\n  "$schema": "s"\n}')).toBe(
      '{\n  "$schema": "s",\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}'
    )
  })

  it("never touches a text that does not parse, or in which servers are no object", () => {
    expect(refused(ConfigEdit.setEntry("a", entry), '{\n  "mcpServers": {,}\n}')).toContain("line 2, column 18")
    expect(refused(ConfigEdit.setEntry("a", entry), '{"mcpServers": []}')).toContain("must be an object")
    expect(refused(ConfigEdit.setEntry("a", entry), "[]")).toContain("must hold an object")
  })
})

describe("removeEntry", () => {
  it("takes the entry alone, and keeps the comments beside it", () => {
    expect(edited(ConfigEdit.removeEntry("b"), commented)).toBe(`// The servers
{
  "mcpServers": {
    // first
    "a": { "command": "x" } // about a
    /* second */
    // at the end
  }
}
`)
    const without = edited(ConfigEdit.removeEntry("a"), commented)
    expect(without).toContain("// first\n     // about a\n    /* second */\n")
    expect(Either.getOrThrow(ConfigEdit.entries(without, ""))).toEqual(new Map([["b", { command: "y" }]]))
  })

  it("never lets a comment swallow what follows", () => {
    const text = '{"mcpServers": {"a": {}, // one\n "b": {} } }'
    expect(Either.getOrThrow(ConfigEdit.entries(edited(ConfigEdit.removeEntry("b"), text), ""))).toEqual(
      new Map([["a", {}]])
    )
  })

  it("removes a name that is there twice wholly: the earlier one must not come back", () => {
    const text = '{"mcpServers": {"a": {"command": "1"}, "b": {}, "a": {"command": "2"}}}'
    expect(edited(ConfigEdit.removeEntry("a"), text)).toBe('{"mcpServers": {"b": {}}}')
  })

  it("leaves a file without that entry as it is", () => {
    expect(edited(ConfigEdit.removeEntry("c"), commented)).toBe(commented)
    expect(edited(ConfigEdit.removeEntry("c"), "")).toBe("")
  })
})

describe("setField", () => {
  it("sets and removes one field of one entry", () => {
    const off = edited(ConfigEdit.setField("b", "disabled", true), commented)
    expect(off).toBe(commented.replace('"y" // why', '"y", // why\n      "disabled": true'))
    expect(edited(ConfigEdit.setField("b", "disabled", undefined), off)).toBe(commented)
    expect(edited(ConfigEdit.setField("a", "disabled", true), commented)).toBe(
      commented.replace('{ "command": "x" }', '{ "command": "x", "disabled": true }')
    )
  })

  it("says when there is no such entry", () => {
    expect(refused(ConfigEdit.setField("c", "disabled", true), commented)).toContain('no server "c"')
    expect(refused(ConfigEdit.setField("c", "disabled", true), "")).toContain('no server "c"')
  })
})

/** Documents as people format them: any indentation, line end, trailing comma, mark, and comments everywhere. */
const documents = fc
  .record({
    names: fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 4 }),
    values: fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 })), { minLength: 4, maxLength: 4 }),
    unit: fc.constantFrom("  ", "    ", "\t", " "),
    eol: fc.constantFrom("\n", "\r\n"),
    trailing: fc.boolean(),
    mark: fc.boolean(),
    inline: fc.boolean(),
    comments: fc.array(fc.constantFrom("", "// a comment", "/* one */"), { minLength: 10, maxLength: 10 })
  })
  .map(({ comments, eol, inline, mark, names, trailing, unit, values }) => {
    const begin = mark ? "\uFEFF" : ""
    const one = (name: string, index: number, indentation?: string) =>
      `${JSON.stringify(name)}: ${JSON.stringify(values[index] ?? {}, null, indentation)}`
    if (inline) return `${begin}{"mcpServers": {${names.map((name, index) => one(name, index)).join(", ")}}}`
    const lines = names.flatMap((name, index) => {
      const body = one(name, index, unit).replaceAll("\n", `\n${unit}${unit}`)
      const comma = index < names.length - 1 || trailing ? "," : ""
      const above = comments[index] ? [`${unit}${unit}${comments[index]}`] : []
      return [...above, `${unit}${unit}${body}${comma} ${comments[index + 4] ?? ""}`]
    })
    const servers = lines.length === 0 ? ["{}"] : ["{", ...lines, `${unit}}`]
    return (
      begin + ["{", `${unit}"mcpServers": ${servers.join("\n")}${trailing ? "," : ""}`, "}", ""].join("\n")
    ).replaceAll("\n", eol)
  })

describe("a round trip", () => {
  it("of adding and removing leaves the text as it was, byte by byte", () => {
    fc.assert(
      fc.property(
        documents,
        fc.string({ minLength: 1 }),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (text, name, value) => {
          const known = Either.getOrThrow(ConfigEdit.entries(text, ""))
          fc.pre(!known.has(name))
          // JSON knows no negative zero.
          const entry = JSON.parse(JSON.stringify(value))
          const added = edited(ConfigEdit.setEntry(name, entry), text)
          expect(Either.getOrThrow(ConfigEdit.entries(added, ""))).toEqual(new Map([...known, [name, entry]]))
          expect(edited(ConfigEdit.removeEntry(name), added)).toBe(text)
        }
      )
    )
  })

  it("of switching off and on leaves the text as it was", () => {
    fc.assert(
      fc.property(documents, (text) => {
        for (const [name, value] of Either.getOrThrow(ConfigEdit.entries(text, ""))) {
          fc.pre(!Object.hasOwn(value as object, "disabled"))
          const off = edited(ConfigEdit.setField(name, "disabled", true), text)
          expect(Either.getOrThrow(ConfigEdit.entries(off, "")).get(name)).toMatchObject({ disabled: true })
          expect(edited(ConfigEdit.setField(name, "disabled", undefined), off)).toBe(text)
        }
      })
    )
  })

  it("removes any entry without harm to the others", () => {
    fc.assert(
      fc.property(documents, (text) => {
        const known = Either.getOrThrow(ConfigEdit.entries(text, ""))
        for (const name of known.keys()) {
          const left = new Map([...known].filter(([other]) => other !== name))
          const removed = edited(ConfigEdit.removeEntry(name), text)
          expect(Either.getOrThrow(ConfigEdit.entries(removed, ""))).toEqual(left)
          for (const comment of ["// a comment", "/* one */"]) {
            expect(removed.split(comment).length).toBe(text.split(comment).length)
          }
        }
      })
    )
  })
})

describe("update", () => {
  const update = (path: string, edit: ConfigEdit.Edit) =>
    ConfigEdit.update(path, edit).pipe(Effect.provide(NodeFileSystem.layer))

  it.live("makes the file and its folder", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "harness9", "mcp.json")
      expect(yield* update(path, ConfigEdit.setEntry("a", entry))).toBe(true)
      expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ mcpServers: { a: entry } })
    }).pipe(Effect.scoped)
  )

  it.live("keeps the mode of the file, and the link that leads to it", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const file = join(directory, "real.json")
      const link = join(directory, ".mcp.json")
      writeFileSync(file, "\uFEFF{}")
      chmodSync(file, 0o640)
      symlinkSync("real.json", link)
      yield* update(link, ConfigEdit.setEntry("a", entry))
      expect(lstatSync(link).isSymbolicLink()).toBe(true)
      expect(statSync(file).mode & 0o777).toBe(0o640)
      expect(readFileSync(file, "utf8")).toMatch(/^\uFEFF\{.*"a"/s)
      expect(readdirSync(directory).sort()).toEqual([".mcp.json", "real.json"])
    }).pipe(Effect.scoped)
  )

  it.live("makes the file that a link leads to, when that is not there yet", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      symlinkSync("real.json", join(directory, ".mcp.json"))
      yield* update(join(directory, ".mcp.json"), ConfigEdit.setEntry("a", entry))
      expect(existsSync(join(directory, "real.json"))).toBe(true)
    }).pipe(Effect.scoped)
  )

  it.live("leaves a file that does not parse as it is, and nothing beside it", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const path = join(directory, ".mcp.json")
      writeFileSync(path, '{ "mcpServers": ')
      const error = yield* Effect.flip(update(path, ConfigEdit.setEntry("a", entry)))
      expect(error.message).toContain(path)
      expect(readFileSync(path, "utf8")).toBe('{ "mcpServers": ')
      expect(readdirSync(directory)).toEqual([".mcp.json"])
    }).pipe(Effect.scoped)
  )

  it.live("loses no change of many made at once", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, ".mcp.json")
      const names = Array.from({ length: 20 }, (_, index) => `server${index}`)
      yield* Effect.forEach(names, (name) => update(path, ConfigEdit.setEntry(name, entry)), {
        concurrency: "unbounded",
        discard: true
      })
      expect(Object.keys(JSON.parse(readFileSync(path, "utf8")).mcpServers).sort()).toEqual(names.sort())
    }).pipe(Effect.scoped)
  )

  it.live("goes on where a program died while it was writing", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const path = join(directory, ".mcp.json")
      writeFileSync(`${path}.lock`, "half of")
      utimesSync(`${path}.lock`, 1, 1)
      yield* update(path, ConfigEdit.setEntry("a", entry))
      expect(readdirSync(directory)).toEqual([".mcp.json"])
    }).pipe(Effect.scoped)
  )
})
