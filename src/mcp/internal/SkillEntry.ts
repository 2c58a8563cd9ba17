/**
 * An entry of `skills/list` or `skills/get`, read by hand. What breaks the rules that verification rests on cannot be used.
 */
import { isObject, type JsonObject } from "../JsonRpc.ts"
import type { Skill, SkillFile } from "../Skills.ts"
import * as Field from "./Field.ts"

/** Reads an entry; a string says why it cannot be used. */
export const read = (entry: unknown): Skill | string => {
  if (!isObject(entry)) return "it is no object"
  const { frontmatter, uri } = entry
  if (typeof uri !== "string") return "it has no URI"
  if (!isObject(frontmatter)) return `${shown(uri)} has no front matter`
  const { description, name } = frontmatter
  if (typeof name !== "string" || name === "") return `${shown(uri)} has no name`
  if (typeof description !== "string" || description === "") return `${shown(uri)} has no description`
  if (!uri.endsWith(`/${name}/${manifest}`)) return `${shown(uri)} is not the address of a skill named ${shown(name)}`
  const files = readFiles(uri, entry.resources)
  return typeof files === "string" ? files : { uri, name, description, frontmatter, files }
}

/** Whether the URI is that of a file in the skill's directory. */
export const isWithin = (skill: string, uri: string): boolean => {
  const directory = skill.slice(0, -manifest.length)
  return uri.startsWith(directory) && uri.length > directory.length && !/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(uri)
}

const manifest = "SKILL.md"

/** The files of a skill; undefined of one whose content is made when it is asked for. */
const readFiles = (skill: string, resources: unknown): ReadonlyArray<SkillFile> | undefined | string => {
  if (resources === undefined || resources === null || resources === "dynamic") return undefined
  if (!Array.isArray(resources)) return `the files of ${shown(skill)} are no list`
  const files = new Map<string, SkillFile>()
  for (const entry of resources) {
    const file = isObject(entry) ? readFile(entry) : undefined
    if (file === undefined) return `a file of ${shown(skill)} has no URI or no SHA-256 digest`
    if (!isWithin(skill, file.uri)) return `${shown(file.uri)} is outside of ${shown(skill)}`
    if (files.has(file.uri)) return `${shown(file.uri)} is listed twice`
    files.set(file.uri, file)
  }
  return files.has(skill) ? [...files.values()] : `the files of ${shown(skill)} do not include it`
}

const readFile = ({ digest, size, uri }: JsonObject): SkillFile | undefined =>
  typeof uri === "string" && typeof digest === "string" && /^sha256:[0-9a-f]{64}$/.test(digest)
    ? { uri, digest, size: Field.number(size) }
    : undefined

const shown = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
