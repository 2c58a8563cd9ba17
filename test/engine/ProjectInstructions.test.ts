import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ProjectInstructions from "../../src/engine/ProjectInstructions.ts"

/** A repository with these files, in a folder that has an AGENTS.md of its own. */
const repository = (files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const outside = yield* fs.makeTempDirectoryScoped()
    const root = join(outside, "repository")
    yield* fs.makeDirectory(join(root, "a", "b"), { recursive: true })
    yield* fs.writeFileString(join(outside, "AGENTS.md"), "outside")
    yield* Effect.forEach(Object.entries(files), ([path, text]) => fs.writeFileString(join(root, path), text))
    return { fs, root, outside }
  })

const scoped = Effect.provide(NodeFileSystem.layer)

describe("the instructions of a project", () => {
  it.scopedLive("are those from the repository's root to the directory, each with its origin", () =>
    Effect.gen(function* () {
      const { fs, root } = yield* repository({ "AGENTS.md": "of the root\n", "a/b/AGENTS.md": "of b" })
      yield* fs.makeDirectory(join(root, ".git"))
      expect(yield* ProjectInstructions.load(join(root, "a", "b"))).toBe(
        [
          `Instructions of this project, from ${join(root, "AGENTS.md")}:\nof the root`,
          `Instructions of this project, from ${join(root, "a/b/AGENTS.md")}:\nof b`
        ].join("\n\n")
      )
      expect(yield* ProjectInstructions.load(join(root, "a"))).not.toContain("of b")
    }).pipe(scoped)
  )

  it.scopedLive("are the directory's own where there is no repository, or none", () =>
    Effect.gen(function* () {
      const { root } = yield* repository({ "a/AGENTS.md": "of a" })
      expect(yield* ProjectInstructions.load(join(root, "a"))).toMatch(/: ?\nof a$/)
      expect(yield* ProjectInstructions.load(join(root, "a", "b"))).toBe("")
    }).pipe(scoped)
  )

  it.scopedLive("are bounded, the nearest ones first", () =>
    Effect.gen(function* () {
      const { fs, root } = yield* repository({ "AGENTS.md": "far", "a/AGENTS.md": "x".repeat(40_000) })
      yield* fs.makeDirectory(join(root, ".git"))
      const text = yield* ProjectInstructions.load(join(root, "a"))
      expect(text).toContain("[cut: 40000 characters in all]")
      expect(text).not.toContain("far")
      expect(text.length).toBeLessThan(ProjectInstructions.limit + 300)
    }).pipe(scoped)
  )

  it.scopedLive("are not read through a link that leads out of the repository", () =>
    Effect.gen(function* () {
      const { fs, outside, root } = yield* repository({})
      yield* fs.makeDirectory(join(root, ".git"))
      yield* fs.symlink(join(outside, "AGENTS.md"), join(root, "AGENTS.md"))
      expect(yield* ProjectInstructions.load(root)).toBe("")
    }).pipe(scoped)
  )
})
