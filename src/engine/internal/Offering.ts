/** What the model is offered from turn to turn of a conversation: all tools, or those that it uses and a search for the others. */
import * as Effect from "effect/Effect"
import type { ToolSet } from "../../tool/ToolRegistry.ts"
import * as ToolSearch from "../../tool/ToolSearch.ts"
import type { ModelInfo } from "../model/ModelInfo.ts"
import * as Deferral from "./Deferral.ts"
import type * as Offer from "./Offer.ts"
import * as SearchTool from "./SearchTool.ts"

export interface Offering {
  readonly of: (set: ToolSet, info: ModelInfo, offerOf: Offer.Maker) => Offer.Offer
  /** Keeps the tools of these names on offer, until others have been used since. */
  readonly use: (names: ReadonlyArray<string>) => void
  /** The names of the tools that are kept on offer. */
  readonly recent: () => Deferral.Recent
  readonly forget: () => void
}

/** Of a conversation that has used the tools of these names. */
export const make = (indexOf: Indexer, settings: Deferral.Settings, used: Deferral.Recent): Offering => {
  let recent = used
  const use = (names: ReadonlyArray<string>) => {
    recent = Deferral.use(recent, names, settings.kept)
  }
  return {
    of: (set, info, offerOf) => {
      const { offered, searchable } = Deferral.split(set, recent, info, settings)
      if (searchable.length === 0) return offerOf(set)
      const search = SearchTool.make({ searchable, index: indexOf(set), provider: info.provider, onFound: use })
      return offerOf(set, { offered, search })
    },
    use,
    recent: () => recent,
    forget: () => {
      recent = []
    }
  }
}

/** The search over the servers' tools of a set. */
export type Indexer = (set: ToolSet) => Effect.Effect<ToolSearch.ToolSearch>

/** Indexes a set when it is first searched, and keeps the index until another set is. */
export const indexer = (): Indexer => {
  let last: { readonly set: ToolSet; readonly search: ToolSearch.ToolSearch } | undefined
  return (set) =>
    Effect.suspend(() => {
      if (last?.set === set) return Effect.succeed(last.search)
      return Effect.tap(ToolSearch.make(set.tools.filter(({ origin }) => origin._tag === "Mcp")), (search) => {
        last = { set, search }
      })
    })
}
