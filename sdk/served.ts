import { findJQuery } from './jquery/find.ts'
import { install } from './jquery/plugin.ts'
import { createLibrary } from './library.ts'
import { log } from './log.ts'
import { takeServedConfig } from './settings/served-config.ts'

// Entry of `/v2/mondido.js`: the gateway writes the merchant's configuration in front of it.
const library = createLibrary()
const config = takeServedConfig(window as Parameters<typeof takeServedConfig>[0])
if (config) library.configure(config)
findJQuery(
  window,
  (jq) => install(jq, library),
  (fault) => log.error(fault.message),
)
