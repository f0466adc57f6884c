import { hash } from 'node:crypto'
import type { Response } from 'express'

/**
 * Answers with what anybody may keep: it has an ETag, and is not sent again to who has it. Nothing
 * else has one (decision 113).
 */
export const sendPublic = (response: Response, body: string): Response =>
  response.set('ETag', `"${hash('md5', body)}"`).send(body)
