import { describe, expect, test } from 'vitest'
import { ITEM_FIELDS } from '../../../mock-gateway/domain/order/items.ts'
import { PAYMENT_DETAILS_FIELDS } from '../../../mock-gateway/domain/payer/payment-details.ts'
import { WEBHOOK_REQUEST_FIELDS } from '../../../mock-gateway/domain/webhook/request.ts'
import {
  CAPTURE_TRANSACTION_FIELDS,
  CREATE_REFUND_FIELDS,
} from '../../../mock-gateway/parsing/capture-and-refund.ts'
import { CREATE_TRANSACTION_FIELDS } from '../../../mock-gateway/parsing/create-transaction.ts'
import { CUSTOMER_FIELDS } from '../../../mock-gateway/parsing/customer.ts'
import { LISTING_FIELDS } from '../../../mock-gateway/parsing/listing.ts'
import { PAGE_FIELDS, PAGE_QUERY } from '../../../mock-gateway/parsing/page-payment.ts'
import { CREATE_PLAN_FIELDS, UPDATE_PLAN_FIELDS } from '../../../mock-gateway/parsing/plan-terms.ts'
import {
  CREATE_STORED_CARD_FIELDS,
  UPDATE_STORED_CARD_FIELDS,
} from '../../../mock-gateway/parsing/stored-card.ts'
import {
  CREATE_SUBSCRIPTION_FIELDS,
  UPDATE_SUBSCRIPTION_FIELDS,
} from '../../../mock-gateway/parsing/subscription.ts'
import { findApiCall } from '../../../mock-gateway/parsing/unused-parameters.ts'
import { UPDATE_TRANSACTION_FIELDS } from '../../../mock-gateway/parsing/update-transaction.ts'
import { listCalls } from '../../../mock-gateway/web/docs/contract.ts'
import { ADDRESS_QUESTION_FIELDS } from '../../../mock-gateway/web/hosted/ssn.ts'
import {
  BANK_FIELDS,
  BANK_PAGE_FIELDS,
} from '../../../mock-gateway/web/three-d-secure/acs-router.ts'
import { readContract } from '../../helpers/contract.ts'
import { allParametersOf, parametersOf } from './documented.ts'

/** Parameters of a call, by its operationId; lists have `LISTING_FIELDS`, other calls none. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  searchDocumentation: ['q'],
  createTransaction: CREATE_TRANSACTION_FIELDS,
  submitForm: CREATE_TRANSACTION_FIELDS,
  showPaymentPage: PAGE_QUERY,
  submitPaymentPage: [...PAGE_FIELDS, 'template', 'payment.selected'],
  authenticateOrder: [...CREATE_TRANSACTION_FIELDS, 'mpi_nonce'],
  updateTransaction: UPDATE_TRANSACTION_FIELDS,
  updateTransactionAtV2: UPDATE_TRANSACTION_FIELDS,
  captureTransaction: CAPTURE_TRANSACTION_FIELDS,
  captureNothing: CAPTURE_TRANSACTION_FIELDS,
  createRefund: CREATE_REFUND_FIELDS,
  createStoredCard: CREATE_STORED_CARD_FIELDS,
  updateStoredCard: UPDATE_STORED_CARD_FIELDS,
  createCustomer: CUSTOMER_FIELDS,
  updateCustomer: CUSTOMER_FIELDS,
  createPlan: CREATE_PLAN_FIELDS,
  updatePlan: UPDATE_PLAN_FIELDS,
  createSubscription: CREATE_SUBSCRIPTION_FIELDS,
  updateSubscription: UPDATE_SUBSCRIPTION_FIELDS,
  findAddress: ADDRESS_QUESTION_FIELDS,
  answerBank: BANK_FIELDS,
  notePageOfBank: BANK_PAGE_FIELDS,
}

/**
 * Parameters for login, language, encryption and the form of the answer, which are read for every
 * call.
 */
const OF_EVERY_CALL: readonly string[] = ['merchant_id', 'encrypted', 'locale', 'lang', 'extend']

const ownNames = (names: readonly string[]) =>
  [...new Set(names)].filter((name) => !OF_EVERY_CALL.includes(name)).sort()

const contract = readContract()
const calls = listCalls(contract)

describe('a warning about unused parameters is right about the parameters of the call:', () => {
  const ofApi =
    /^\/v[12]\/(?:transactions|refunds|stored_cards?|customers|plans|subscriptions?|webhooks)\b/
  for (const { method, path, operation } of calls.filter(
    (call) => ofApi.test(call.path) && call.method !== 'options',
  ))
    test(`${operation.operationId} at ${path}`, () => {
      const { fields } = findApiCall(method.toUpperCase(), path.replace(/\{\w+\}/g, ':id'))
      const taken =
        TAKEN[operation.operationId] ??
        (operation.operationId.startsWith('list') ? LISTING_FIELDS : [])
      expect(ownNames(fields)).toEqual(ownNames(taken))
    })
})

test('the contract has the same fields for items, details and webhooks as their readers', () => {
  const nested = calls
    .filter(({ operation }) => operation.operationId === 'createTransaction')
    .flatMap((call) =>
      allParametersOf(contract, call).filter(
        (name) => !parametersOf(contract, call).includes(name),
      ),
    )
  const taken = [...ITEM_FIELDS, ...PAYMENT_DETAILS_FIELDS, ...WEBHOOK_REQUEST_FIELDS]
  const known = new Set<string>(CREATE_TRANSACTION_FIELDS)
  expect(ownNames(nested)).toEqual(ownNames(taken.filter((name) => !known.has(name))))
})
