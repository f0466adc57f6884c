import { createAuthenticator } from '../merchants/authenticate.ts'
import { createControlKey } from '../merchants/control-key.ts'
import { createKeyRing } from '../merchants/keys.ts'
import { createPasses, createSessions } from '../merchants/sessions.ts'
import type { GatewayData } from './data.ts'
import type { CheckedOptions } from './options.ts'

/** Logins and keys of merchants and of the administrator. */
export type Accounts = ReturnType<typeof createAccounts>

/** Creates the logins: by password, by session, and by control key. */
export function createAccounts(
  { ambient: { randomBytes }, controlKey }: Pick<CheckedOptions, 'ambient' | 'controlKey'>,
  { database, verified, clocks: { machine } }: GatewayData,
) {
  const passes = createPasses(randomBytes)
  return {
    passes,
    authenticator: createAuthenticator(database, verified, passes),
    keys: createKeyRing(database),
    sessions: createSessions({ database, randomBytes, machine, controlKey }),
    /** Undefined if there is no control API. */
    controlKey:
      controlKey === undefined ? undefined : createControlKey(database, controlKey, machine),
  }
}
