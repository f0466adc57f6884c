import { createHmac, timingSafeEqual } from 'node:crypto'

/** Derives the form token of a session, which pages of other origins cannot know (attack 47). */
export const formToken = (sessionToken: string): string =>
  createHmac('sha256', sessionToken).update('form').digest('base64url')

export function isFormToken(sent: string, sessionToken: string): boolean {
  const [given, expected] = [sent, formToken(sessionToken)].map((text) => Buffer.from(text))
  return given?.length === expected?.length && timingSafeEqual(given as Buffer, expected as Buffer)
}
