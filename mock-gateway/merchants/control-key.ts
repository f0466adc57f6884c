import { hash, timingSafeEqual } from 'node:crypto'

/** Whom the administrator logs in as. */
export const ADMINISTRATOR = 'admin'

/** Tells whether a text is the control key, in the same time for every text. */
export function controlKeyTest(key: string): (sent: string) => boolean {
  const expected = digest(key)
  return (sent) => timingSafeEqual(digest(sent), expected)
}

/** Of equal length whatever was sent. */
const digest = (text: string) => hash('sha256', text, 'buffer')
