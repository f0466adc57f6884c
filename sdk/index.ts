import { encryptValue, maxBytes as mostBytes } from './crypto/rsa.ts'
import { install as installPlugin } from './jquery/plugin.ts'
import { CARD, findKey } from './jquery/tools.ts'
import { createLibrary, type Library } from './library.ts'
import { createDefaults } from './settings/options.ts'
import type { MondidoController, MondidoOptions, MondidoStatic, ServedConfig } from './types.ts'
import { VERSION } from './version.ts'

export type * from './types.ts'
export type { MessageKey } from './ui/messages.ts'

const configs = new Map<string, ServedConfig>()

/**
 * Default options of all forms. Change them before you call `createMondido`.
 * @example
 * import { defaults } from 'mondido-js'
 *
 * defaults.type = 'ajax'
 */
export const defaults = createDefaults()

let made: Library | undefined

/** Creates the library on first use: a page that only encrypts does not need it. */
const library = (): Library => {
  made ??= createLibrary(() => import('./advice/advice-file.ts'), configs, defaults)
  return made
}

/**
 * Mounts the library on a form without jQuery. Events arrive as native events `mondido:*`. A second
 * call for the same form changes its options.
 * @throws Error with `code` `form.not_a_form`
 * @example
 * import { createMondido } from 'mondido-js'
 *
 * const form = document.forms[0]
 * createMondido(form, { type: 'ajax', success: ({ id }) => location.assign(`/thanks?id=${id}`) })
 */
export const createMondido = (form: HTMLFormElement, options?: MondidoOptions): MondidoController =>
  library().mount(form, options).controller

/**
 * Adds `$.fn.mondido` and `$.mondido` to a jQuery.
 * @throws Error with `code` `integration.not_jquery` or `integration.jquery_too_old`
 * @example
 * import $ from 'jquery'
 * import { install } from 'mondido-js'
 *
 * install($)
 * $('form').mondido({ type: 'ajax' })
 */
export const install = (jq: JQueryStatic): void => installPlugin(jq, library())

/**
 * Registers a merchant, its public key and the addresses of the service, as the served script does.
 * Without `mpiUrl` there is no 3-D Secure.
 * @example
 * import { configure } from 'mondido-js'
 *
 * const url = 'http://localhost:4400'
 * const addresses = { apiUrl: url, payUrl: url, cdnUrl: url, mpiUrl: `${url}/v1/mpi_js` }
 * configure({ merchantId: '1', publicKey, ...addresses })
 */
export const configure = (config: ServedConfig): void => library().configure(config)

/**
 * Encrypts a value: base64(RSA(base64(UTF-8))).
 * @param publicKey PEM. Default: the key of the registered merchant
 * @throws Error with `code` `field.too_long`, `crypto.unavailable` or `config.public_key_*`
 * @example
 * import { encrypt } from 'mondido-js'
 *
 * const field = encrypt('4111111111111111', publicKey)
 */
export const encrypt = (value: string, publicKey?: string): string =>
  encryptValue(value, findKey(publicKey, configs))

/**
 * Returns the longest value that `encrypt` accepts, in UTF-8 bytes: 183 for a key of 2048 bits.
 * @example
 * import { maxBytes } from 'mondido-js'
 *
 * const isTooLong = new TextEncoder().encode(text).length > maxBytes(publicKey)
 */
export const maxBytes = (publicKey?: string): number => mostBytes(findKey(publicKey, configs))

/**
 * Version of the package.
 * @example
 * import { version } from 'mondido-js'
 *
 * console.log(version) // 2.0.0
 */
export const version: string = VERSION

/**
 * Checks of a card that need no request.
 * @example
 * import { card } from 'mondido-js'
 *
 * card.brand('4111 1111 1111 1111') // 'visa'
 * card.luhn('4111 1111 1111 1111') // true
 */
export const card: MondidoStatic['card'] = CARD
