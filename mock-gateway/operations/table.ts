import { CLOCK } from './clock.ts'
import { DATA } from './data.ts'
import { DELIVERIES } from './deliveries.ts'
import { FAULTS } from './faults.ts'
import { MAILS } from './mails.ts'
import { MERCHANTS } from './merchants.ts'
import type { Operation, Subject } from './operation.ts'
import { OUTCOMES } from './outcomes.ts'
import { PAYMENT_LINKS } from './payment-links.ts'
import { REQUESTS } from './requests.ts'
import { SANDBOX } from './sandbox.ts'
import { TEMPLATES } from './templates.ts'
import { WEBHOOKS } from './webhooks.ts'

/** The subjects of the sandbox, in the order of the documents. */
export const SUBJECTS: Subject[] = [
  SANDBOX,
  CLOCK,
  OUTCOMES,
  PAYMENT_LINKS,
  FAULTS,
  MAILS,
  REQUESTS,
  MERCHANTS,
  DATA,
  WEBHOOKS,
  DELIVERIES,
  TEMPLATES,
]

/** Lists every operation. */
export const listAllOperations = (): Operation[] => SUBJECTS.flatMap(({ operations }) => operations)

/** @throws TypeError if no operation has this name */
export function getOperation(name: string): Operation {
  const found = listAllOperations().find((each) => each.name === name)
  if (found) return found
  throw new TypeError(`There is no operation ${name}`)
}
