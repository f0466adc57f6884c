import { createControlDocument } from '../../mock-gateway/web/control/document.ts'
import type { Document } from '../../mock-gateway/web/docs/contract.ts'
import { controlChecker } from './contract.ts'

/** Returns the OpenAPI document of the control API. */
export const readControlContract = (): Document => createControlDocument() as Document

let check: ReturnType<typeof controlChecker> | undefined

/**
 * Checks an answer of the control API against its document: status, type and body.
 * @param path path after `/_control`
 * @throws Error with every contradiction to the document
 */
export function checkControlAnswer(...answer: Parameters<ReturnType<typeof controlChecker>>): void {
  check ??= controlChecker(readControlContract())
  check(...answer)
}
