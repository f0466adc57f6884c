import type { FilterImplOptions } from 'liquidjs'
import { type Assets, assetAddress } from './assets.ts'
import { readOnce } from './read-once.ts'

/**
 * Renders a view.
 * @param view its path below the folder of the views, without `.liquid`
 * @param data every variable of the view and its layout: a missing one is an error; output is
 *   escaped
 */
export type Render = (view: string, data: object) => Promise<string>

/**
 * Creates the renderer of all pages. Liquid is imported with the first page, and each view is read
 * when it is first shown, so that a start does not pay for them.
 * @param folder contains views, layouts and partials
 * @param prefix of the addresses of assets: the path under which the gateway is reached, usually ''
 * @param filters of single modules, by name
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

async function load(
  folder: string,
  assets: Assets,
  prefix: string,
  filters: Readonly<Record<string, FilterImplOptions>>,
) {
  const [{ Liquid }, known] = await Promise.all([import('liquidjs'), assets()])
  const engine = new Liquid({
    root: folder,
    extname: '.liquid',
    cache: true,
    outputEscape: 'escape',
    ownPropertyOnly: true,
    strictVariables: true,
    strictFilters: true,
  })
  engine.registerFilter('asset', (path: string) => prefix + assetAddress(known, path))
  for (const [name, filter] of Object.entries(filters)) engine.registerFilter(name, filter)
  return engine
}
