/**
 * Keeps what V8 makes of the built gateway for the next `npm start`; where that cannot be written,
 * nothing is kept.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../mock-gateway/dist/.compile-cache', import.meta.url)))
