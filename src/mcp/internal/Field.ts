/**
 * An optional field of a received payload: `null`, and a value of another type, is read as absent.
 */
import { isObject, type JsonObject } from "../JsonRpc.ts"

export const string = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

export const number = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined

export const boolean = (value: unknown): boolean | undefined => (typeof value === "boolean" ? value : undefined)

export const object = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined)

export const strings = (value: unknown): ReadonlyArray<string> | undefined =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined
