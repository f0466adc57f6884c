import type { ServedConfig } from '../types.ts'

/** Name of the global that the served script's first line declares. */
const CONFIG_GLOBAL = '__mondido_config'

/**
 * Reads the served configuration and removes its global, so that no script can find or change it
 * later. A `var` cannot be deleted, so it is set to undefined.
 */
export function takeServedConfig(page: {
  [CONFIG_GLOBAL]?: ServedConfig | undefined
}): ServedConfig | undefined {
  const config = page[CONFIG_GLOBAL]
  if (config && !Reflect.deleteProperty(page, CONFIG_GLOBAL)) page[CONFIG_GLOBAL] = undefined
  return config
}
