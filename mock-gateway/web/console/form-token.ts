import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * What every form of a session brings along, so that no page of somebody else can send one (attack
 * 47).
 */
export const formToken = (sessionToken: string): string =>
  createHmac('sha256', sessionToken).update('form').digest('base64url')

export function isFormToken(sent: string, sessionToken: string): boolean {
  const [given, expected] = [sent, formToken(sessionToken)].map((text) => Buffer.from(text))
  return given?.length === expected?.length && timingSafeEqual(given as Buffer, expected as Buffer)
}
