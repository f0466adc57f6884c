import { encryptValue, maxBytes as mostBytes } from './crypto/encrypt.ts'
import { install as installPlugin } from './jquery/plugin.ts'
import { CARD, keyFor } from './jquery/tools.ts'
import { createLibrary, type Library } from './library.ts'
import { createDefaults } from './settings/options.ts'
import type { ServedConfig } from './settings/served-config.ts'
import type { MondidoController, MondidoOptions, MondidoStatic } from './types.ts'
import { VERSION } from './version.ts'

export type { FaultCode } from './errors/faults.ts'
export type { ServedConfig } from './settings/served-config.ts'
export type * from './types.ts'
export type { MessageKey } from './ui/messages.ts'

const configs = new Map<string, ServedConfig>()

/** Defaults of all forms; may be changed. */
export const defaults = createDefaults()

let made: Library | undefined

/** The copy of the library that this module has. Made when it is needed first: a page that only encrypts needs none. */
const library = (): Library => {
  made ??= createLibrary(() => import('./advice/adviser.ts'), configs, defaults)
  return made
}

/** Takes a form over without jQuery; events arrive as the native twins `mondido:*`. Once for each form; later calls
 * change options.
 * @throws Error with `code` `form.not_a_form` */
export const createMondido = (form: HTMLFormElement, options?: MondidoOptions): MondidoController =>
  library().mount(form, options).controller

/** Adds `$.fn.mondido` and `$.mondido` to a jQuery.
 * @throws Error with `code` `integration.not_jquery` or `integration.jquery_too_old` */
export const install = (jq: JQueryStatic): void => installPlugin(jq, library())

/** Makes a merchant known, as the served script does. */
export const configure = (config: ServedConfig): void => library().configure(config)

/** base64(RSA(base64(UTF-8))) of a value under the given or the served key.
 * @throws Error with `code` `field.too_long`, `crypto.unavailable` or `config.public_key_*` */
export const encrypt = (value: string, publicKey?: string): string => encryptValue(value, keyFor(publicKey, configs))

/** Most UTF-8 bytes a value may have under the given or the served key: 183 for 2048 bits. */
export const maxBytes = (publicKey?: string): number => mostBytes(keyFor(publicKey, configs))

/** Version of the package. */
export const version: string = VERSION

/** What can be told of a card without the service. */
export const card: MondidoStatic['card'] = CARD
