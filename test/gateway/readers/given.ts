import { createPrivateKey } from 'node:crypto'
import { Liquid } from 'liquidjs'
import { GatewayError } from '../../../mock-gateway/domain/errors/errors.ts'
import { MAX_DEPTH } from '../../../mock-gateway/domain/json.ts'
import { operationNamed } from '../../../mock-gateway/operations/table.ts'
import { LIMITS } from '../../../mock-gateway/parsing/parameters/limits.ts'
import { emptyTree } from '../../../mock-gateway/parsing/parameters/tree.ts'
import { MERCHANT } from '../../helpers/gateway.ts'
import { TEST_PRIVATE_KEY } from '../../helpers/keys.ts'

const NOW = Date.UTC(2026, 0, 1)
const ADDRESSES = {
  base: 'http://localhost:4400',
  pay: 'http://localhost:4400',
  cdn: 'http://localhost:4400',
}
const SENDER = {
  merchant: { ...MERCHANT, settings: {} },
  loggedIn: true,
  encrypted: new Set(),
  now: NOW,
  addresses: ADDRESSES,
}
const ORDER = {
  merchantId: '1',
  paymentRef: 'A1',
  customerRef: '',
  amount: '10.00',
  currency: 'sek',
  test: true,
}
const PROOF = { hash: 'a', variant: 'canonical' }
const CLIENT = { user_agent: '', ip: '', accept_language: '' }
const ANSWERED = {
  ...{
    facts: {
      request_id: 'a',
      method: 'GET',
      route: '/v1/cards',
      status: 400,
      merchant_id: 1,
      explain: null,
    },
    at: NOW,
  },
  ...{
    parameters: {},
    times: {},
    struck: undefined,
    deliveries: [],
    encrypted: [],
    headers: {},
    transactionId: 1,
  },
  answered: { 'content-type': 'application/json' },
}
const JSON_OPTIONS = {
  subject: 'a',
  error: 'errors.json.malformed',
  depth: MAX_DEPTH,
  keepNumberText: true,
}

/** Other arguments of readers by the type of the parameter, as TypeScript writes it. */
export const GIVEN: Readonly<Record<string, (text: string) => unknown>> = {
  string: (text) => text,
  'string | undefined': (text) => text,
  'string | null': (text) => text,
  'string | number': (text) => text,
  'string | number | null | undefined': (text) => text,
  unknown: (text) => text,
  JsonValue: (text) => text,
  'JsonValue | undefined': (text) => text,
  'Buffer<ArrayBufferLike>': Buffer.from,
  'string | Buffer<ArrayBufferLike>': Buffer.from,
  'Uint8Array<ArrayBufferLike>': Buffer.from,
  'Buffer<ArrayBufferLike> | undefined': Buffer.from,
  'string | Buffer<ArrayBufferLike> | undefined': Buffer.from,
  ResponseFacts: (text) => ({
    ...ANSWERED,
    url: `/v1/cards?a=${text}`,
    answered: { ...ANSWERED.answered, location: text },
  }),
  GatewayError: (text) => new GatewayError('errors.transaction.not_found', { explain: text }),
  ApiCall: () => ({ named: 'a call', fields: ['amount'] }),
  'readonly string[]': (text) => [text],
  'readonly (readonly string[])[]': (text) => [[text]],
  'readonly (readonly [name: string, fence: string, text: string])[]': (text) => [
    [text, text, text],
  ],
  ReplacedSecret: (text) => ({ value: text, until: NOW }),
  Pages: () => new Map(),
  'string | null | undefined': (text) => text,
  'readonly Name[]': (text) => [text],
  'readonly (string | undefined)[]': (text) => [text],
  'Readonly<Record<string, string | undefined>>': (text) => ({ a: text }),
  'Readonly<Record<CardField, string>>': (text) => ({
    card_number: text,
    card_holder: text,
    card_expiry: text,
    card_cvv: text,
  }),
  number: () => 1,
  'number | null': () => 1,
  'number | undefined': () => 1,
  boolean: () => true,
  Sender: () => SENDER,
  'Pick<Sender, "now">': () => SENDER,
  'Pick<Sender, "addresses" | "now">': () => SENDER,
  'Pick<Sender, "now" | "addresses">': () => SENDER,
  'Pick<Sender, "now" | "encrypted">': () => SENDER,
  Addresses: () => ADDRESSES,
  Limits: () => LIMITS,
  CreateOptions: () => ({ client: CLIENT, proof: PROOF }),
  '{ readonly client: Readonly<Record<"user_agent" | "ip" | "accept_language", string>>; readonly proof: VerifiedHash; }':
    () => ({ client: CLIENT, proof: PROOF }),
  MailContent: () => ({ subject: 'a', rows: [], footer: 'b' }),
  JsonOptions: () => JSON_OPTIONS,
  KeyObject: () => createPrivateKey(TEST_PRIVATE_KEY),
  HashedRequest: (text) => ({ ...ORDER, paymentRef: text }),
  HashedResponse: (text) => ({ ...ORDER, paymentRef: text, status: 'approved' }),
  EncryptedNames: (text) => new Set([text]),
  Liquid: () => new Liquid(),
  Tree: () => emptyTree(),
  Path: (text) => [text],
  '{ own: readonly string[]; }': () => ({ own: ['http://localhost:4400/v1'] }),
  '{ readonly loggedIn: boolean; }': () => ({ loggedIn: true }),
}

/** Arguments of readers whose types are not specific enough. */
export const GIVEN_BY_NAME: Readonly<Record<string, (text: string) => readonly unknown[]>> = {
  'asked-at#askedAt': (text) => [{ headers: { host: text }, socket: {} }, 'http://localhost:4400'],
  'bank-questions#judgeAnswer': (text) => ['choice', 'asked', [text]],
  'bank-questions#answersAt': (text) => ['bankid', text],
  'body#bodyOf': (text) => [JSON.stringify({ a: text, [text]: [text] }), 'form_data'],
  'body#formOf': (text) => [JSON.stringify({ a: { [text]: text } })],
  'kept-texts#keptParameters': (text) => [
    { [text]: text, metadata: { a: [text] }, card_number: text },
    new Set(),
  ],
  'explain-failure#explainFailure': (text) => [
    { code: null, error: text },
    `http://localhost/${text}`,
  ],
  'sent-fields#fieldsIn': (text) => [{ [text]: text, metadata: { a: [text] } }],
  'sent-fields#fieldsToSend': (text) => [{ [text]: text, metadata: { a: [text] } }],
  'without-secrets#withoutSecrets': (text) => [JSON.stringify(text), [MERCHANT.secret]],
  'events#eventEntry': (text) => [
    { id: 1, transaction_id: 1, created_at: 1, event_type: 'payment', data: { event: text } },
    text,
  ],
  'http-call#forbiddenHost': (text) => [text, () => false],
  'hash#matchRequestHash': (text) => [{ ...ORDER, amount: text }, text, MERCHANT.secret],
  'items#checkItems': (text) => [
    [{ artno: text, description: text, qty: text, amount: text }],
    { required: true },
  ],
  'order-fields#readReturnUrl': (text) => [
    { success_url: text },
    'success_url',
    ADDRESSES,
    undefined,
  ],
  'page-payment#readPagePayment': (text) => [
    1,
    { email: text, plan: text },
    'invoice',
    { canStore: true, plans: [1] },
  ],
  'form-errors#besideField': (text) => [{ explain: text, name: `errors.${text}` }, ['name']],
  'read-input#readInput': (text) => [operationNamed('faults.inject'), { kind: text, path: text }],
  'repeated-request#withNewRef': (text) => [[['payment_ref', text]], { payment_ref: text }, 'a'],
  'signature-check#checkSignature': (text) => [
    {
      headers: { 'webhook-id': text, 'webhook-timestamp': '1', 'webhook-signature': text },
      body: text,
    },
    ['whsec_YWE='],
  ],
  'signature-check#checkResponseHash': (text) => [
    JSON.stringify({ response_hash: text, ref: text }),
    text,
  ],
  'signature#signatureBy': (text) => ['whsec_YWE=', { id: 'a', timestamp: 1, body: text }],
}

/**
 * Types of a running gateway's parts, of a page's parts, and of stored rows. Functions with these
 * parameters get their texts from other readers, which are tested themselves.
 */
export const PARTS =
  /^(?:Database|Queries|Work|OpenWork|\w*Visit|Response|Request|ServerResponse|Contract|Document|\w*Dependencies|HTML\w+)\b|^new |\bmerchant_id: number/

/** Functions that are not tested, by the reason. */
export const EXCUSED: Readonly<Record<string, readonly string[]>> = {
  'whoever starts the gateway or writes its sources gives it': [
    'assets#addressesUnder',
    'assets#assetsIn',
    'element#element',
    'boundary#knownHosts',
    'options#webhookTransports',
    'library-file#readLibrary',
    'library-file#versionOf',
    'library-file#libraryTag',
    'parse#parseContract',
    'open-port#openPort',
    'reference#firstPage',
    'snapshots#deleteSnapshot',
    'table#operationNamed',
    'script-from-source#scriptFromSource',
  ],
  'a view, which is rendered with markup in every text': [
    'app#appView',
    'choices#linkTo',
    'message#messageView',
    'result#resultView',
  ],
  'the gateway itself has made it, and short': [
    'details#factsOf',
    'guesses#refuseLocked',
    'lists#tableOf',
    'payer-answers#wordOfPayer',
    'setting-fields#settingText',
    'signature#signatureHeaders',
    'signed-answer#signAnswer',
    'signed-answer#forgedAnswer',
  ],
  'beside the thread that answers': ['password#hashPassword', 'password#verifyPassword'],
  "a merchant's own template, once when it is kept; how it is taken apart, prepared and looked through is tried":
    ['repair#repair'],
}
