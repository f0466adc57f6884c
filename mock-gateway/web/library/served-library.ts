import { dirname, join } from 'node:path'
import { type Request, type Response, Router } from 'express'
import { LIBRARY_ADVICE } from '../../../sdk/shared/advice-texts.ts'
import type { Addresses } from '../../domain/addresses.ts'
import { readId } from '../../domain/identifiers.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import type { KeyRing } from '../../merchants/keys.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { getExchange } from '../http/exchange.ts'
import { receiveParameters } from '../http/receive.ts'
import { findVersion, readLibrary } from '../pages/library-file.ts'
import { sendCompressed } from '../pages/send-public.ts'

/** Dependencies of the served library. */
export interface LibraryDependencies {
  readonly addresses: Addresses
  readonly authenticator: Authenticator
  readonly keys: KeyRing
  /** Path of the built browser library. */
  readonly library: string
}

/**
 * Serves `/v2/mondido.js?merchant_id=<id>` and its old address below `/v1` (specification: Browser
 * integration): the library after a line with the merchant, its key and the gateway's address. Also
 * serves `/v2/mondido-advice.js`, the texts for developers, which pages load in test mode, and
 * `/v2/mondido-<version>.js`, the library alone, equal for every merchant: its tag names merchant
 * and key, and pins the file with `integrity`.
 */
export function createLibraryRouter({
  addresses,
  authenticator,
  keys,
  library: file,
}: LibraryDependencies): Router {
  const router = Router()
  router.get('/v2/mondido.js', receiveParameters, sendLibrary)
  router.get('/v1/mondido.js', receiveParameters, sendLibrary)
  router.get('/v2/mondido-advice.js', receiveParameters, async (request, response) => {
    const advice = await readLibrary(join(dirname(file), 'mondido-advice.js'))
    await sendScript(
      request,
      response,
      advice ?? NOT_BUILT,
      advice === undefined ? NEVER_KEPT : ASKED_EVERY_TIME,
    )
  })
  router.get('/v2/mondido-:version.js', receiveParameters, async (request, response) => {
    const library = await readLibrary(file)
    if (library === undefined) return sendScript(request, response, NOT_BUILT, NEVER_KEPT)
    const version = findVersion(library)
    if (version === request.params.version)
      return sendScript(request, response, library, KEPT_FOREVER)
    const instead = `the gateway has version ${version}. Copy its tag from the console, under Settings.`
    await sendScript(request, response, complaint(instead), NEVER_KEPT)
  })
  return router

  async function sendLibrary(request: Request, response: Response): Promise<void> {
    const merchantId = text(getExchange(response).parameters, 'merchant_id') ?? ''
    const id = readId(merchantId)
    const merchant = id === undefined ? undefined : await authenticator.find(id)
    const library = merchant && (await readLibrary(file))
    const script = !merchant
      ? complaint(noMerchant(merchantId.slice(0, 40), addresses))
      : library === undefined
        ? NOT_BUILT
        : prelude(addresses, merchant, (await keys.of(merchant.id)).publicKey) + library
    await sendScript(
      request,
      response,
      script,
      library === undefined ? NEVER_KEPT : ASKED_EVERY_TIME,
    )
  }
}

async function sendScript(
  request: Request,
  response: Response,
  script: string,
  caching: string,
): Promise<void> {
  response.setHeader('Cache-Control', caching)
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
  await sendCompressed(request, response.type('text/javascript; charset=utf-8'), script)
}

/**
 * Browsers revalidate each time, so that a new key is seen immediately (our decision). The answer
 * is mostly 304.
 */
const ASKED_EVERY_TIME = 'public, no-cache'
const NEVER_KEPT = 'no-store, private'
/** The content of an address with a version never changes (RFC 8246). */
const KEPT_FOREVER = 'public, max-age=31536000, immutable'

/** A merchant without 3-D Secure has no address for it, so that no window opens. */
function prelude(
  { base, pay, cdn }: Addresses,
  { id, settings }: Merchant,
  publicKey: string,
): string {
  const mpi = settings.three_d_secure === 'off' ? {} : { mpiUrl: `${pay}/v1/mpi_js` }
  const config = {
    merchantId: String(id),
    publicKey,
    apiUrl: base,
    payUrl: pay,
    cdnUrl: cdn,
    ...mpi,
  }
  return `var __mondido_config=${scriptJson(config)};\n`
}

/** Builds a script that only logs an error, for a page that cannot have the library. */
function complaint(text: string): string {
  return `console.error(${scriptJson(`mondido.js: ${text}`)});\n`
}

/** Words the error like the library. */
function noMerchant(merchantId: string, { cdn }: Addresses): string {
  const [wrong, right] = LIBRARY_ADVICE['page.no_merchant']
  return `${wrong.replace('{merchant}', () => merchantId)} ${right} ${cdn}/docs#library-page.no_merchant`
}

const NOT_BUILT = complaint('the gateway has no built library. Run npm run build.')

/** Escapes JSON for use inside a script. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
