import type { Ambient } from '../domain/ambient.ts'

/**
 * Logins of merchants whose session already proves them: the gateway stores only the hash of a
 * password.
 */
export interface SessionPasses {
  /** Runs a function with a password that logs in the merchant until the function ends. */
  during<Result>(merchantId: number, act: (password: string) => Promise<Result>): Promise<Result>
  isPass(username: string, password: string): boolean
}

/** 256 random bits, which cannot be guessed while they are valid. */
const BYTES = 32

export function createPasses(randomBytes: Ambient['randomBytes']): SessionPasses {
  const open = new Map<string, string>()
  return {
    async during(merchantId, act) {
      const password = Buffer.from(randomBytes(BYTES)).toString('base64url')
      open.set(password, String(merchantId))
      try {
        return await act(password)
      } finally {
        open.delete(password)
      }
    },
    isPass: (username, password) => open.get(password) === username,
  }
}
