import { setImmediate } from 'node:timers/promises'
import type { FilterImplOptions, Template } from 'liquidjs'
import { type Assets, assetAddress } from './assets.ts'
import { readAtOnce, renderAtOnce } from './read-at-once.ts'
import { readOnce } from './read-once.ts'

/**
 * Renders a view.
 * @param view its path below the folder of the views, without `.liquid`
 * @param data all that the view and its layout name: what is missing is an error, what they print is escaped
 */
export type Render = (view: string, data: object) => Promise<string>

/** The views of all pages. */
export interface Views {
  readonly render: Render
  /**
   * Reads a view and all that it names before anybody asks for it, a file each turn of the event loop.
   * @param parts what it names by its data, each a path too
   */
  ahead(view: string, ...parts: string[]): Promise<void>
}

/**
 * The one Liquid engine of all pages. It is loaded with the first page, and each view when it is first shown, because
 * the gateway starts quicker without.
 * @param folder where views, layouts and partials are found
 * @param prefix of the addresses of assets: the path that the gateway is reached under, '' as a rule
 * @param filters of single rooms, by name
 */
export function createViews(
  folder: string,
  assets: Assets,
  prefix: string,
  filters: Readonly<Record<string, FilterImplOptions>> = {},
): Views {
  const engine = readOnce(() => load(folder, assets, prefix, filters))
  return {
    render: async (view, data) => (await engine()).renderFileSync(view, data),
    async ahead(view, ...parts) {
      const [{ LookupType, toValueSync }, parser] = await Promise.all([liquidjs(), engine()])
      await readPartials(parser.parseFileSync(view), toValueSync)
      for (const part of parts) await readPartials(parser.parseFileSync(part, LookupType.Partials), toValueSync)
    },
  }
}

/** Reads what these parts of a view name, and what that names. */
async function readPartials(templates: readonly Template[], atOnce: Liquidjs['toValueSync']): Promise<void> {
  for (const template of templates) {
    if (!template.children) continue
    await setImmediate()
    await readPartials(atOnce(template.children(true, true) as IterableIterator<Template[]>), atOnce)
  }
}

type Liquidjs = typeof import('liquidjs')

const liquidjs = readOnce(async () => readAtOnce(await import('liquidjs')))

async function load(
  folder: string,
  assets: Assets,
  prefix: string,
  filters: Readonly<Record<string, FilterImplOptions>>,
) {
  const [liquid, known] = await Promise.all([liquidjs(), assets()])
  const engine = new liquid.Liquid({
    root: folder,
    extname: '.liquid',
    cache: true,
    outputEscape: 'escape',
    ownPropertyOnly: true,
    strictVariables: true,
    strictFilters: true,
  })
  renderAtOnce(engine, liquid)
  engine.registerFilter('asset', (path: string) => prefix + assetAddress(known, path))
  for (const [name, filter] of Object.entries(filters)) engine.registerFilter(name, filter)
  return engine
}
