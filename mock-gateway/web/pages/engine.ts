import type { FilterImplOptions } from 'liquidjs'
import { type Assets, assetAddress } from './assets.ts'
import { readAtOnce, renderAtOnce } from './read-at-once.ts'
import { readOnce } from './read-once.ts'

/**
 * Renders a view.
 * @param view its path below the folder of the views, without `.liquid`
 * @param data all that the view and its layout name: what is missing is an error, what they print is escaped
 */
export type Render = (view: string, data: object) => Promise<string>

/**
 * The one Liquid engine of all pages. It is loaded with the first page, and each view when it is first shown, because
 * the gateway starts quicker without.
 * @param folder where views, layouts and partials are found
 * @param prefix of the addresses of assets: the path that the gateway is reached under, '' as a rule
 * @param filters of single rooms, by name
 */
export function createRender(
  folder: string,
  assets: Assets,
  prefix: string,
  filters: Readonly<Record<string, FilterImplOptions>> = {},
): Render {
  const engine = readOnce(() => load(folder, assets, prefix, filters))
  return async (view, data) => (await engine()).renderFileSync(view, data)
}

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
