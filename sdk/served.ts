import { reportFault } from './errors/faults.ts'
import { findJQuery } from './jquery/find.ts'
import { install } from './jquery/plugin.ts'
import { createLibrary } from './library.ts'
import { readTagConfig, takeServedConfig } from './settings/merchant.ts'
import { VERSION } from './version.ts'

// Entry of `/v2/mondido.js`: the gateway adds the merchant's configuration before it.
// `/v2/mondido-<version>.js` is this file alone: its tag contains the configuration.
const config =
  takeServedConfig(window as Parameters<typeof takeServedConfig>[0]) ??
  readTagConfig(document.currentScript)
const library = createLibrary(() => import(`${config?.cdnUrl}/v2/mondido-advice.js?v=${VERSION}`))
if (config) library.configure(config)
findJQuery(window, (jq) => install(jq, library), reportFault)
