/**
 * Attacks that the gateway must withstand, one on each line, with the tests that prove it. Comments
 * and titles of tests cite them as `attack 19`.
 */

/** Part of the gateway that an attack needs and that is not built yet. */
type Part = 'a policy without foreign pictures, which old pages show'

/** Path below test/, and a part of the title of a test or group in it. */
type Proof = readonly [file: string, title: string]

export interface Case {
  readonly name: string
  /** Tests that must all pass. Each covers a part of the attack. */
  readonly shownBy: readonly Proof[]
  /** Part of the gateway that is not built yet. The tests cover the attack without this part. */
  readonly waits?: Part
}

const shown = (name: string, file: string, title: string, ...more: readonly Proof[]): Case => ({
  name,
  shownBy: [[file, title], ...more],
})
const inPart = (shown: Case, waits: Part): Case => ({ ...shown, waits })

/** Test that opens every page of the console, including pages that are added later. */
const CONSOLE = 'gateway/abuse/console.test.ts'

// biome-ignore format: one line a case, so that the table reads as one
export const CASES: Readonly<Record<number, Case>> = {
  // Authentication, lockout, hash
  1: shown('no-credentials', 'gateway/web/http/authentication.test.ts', 'is rejected with status 401, error 138 and a challenge'),
  2: shown('wrong-password-uniform', 'gateway/web/http/authentication.test.ts', 'an unknown merchant and a wrong password get the same answer'),
  3: shown('lockout-after-n', 'gateway/merchants/lock.test.ts', 'the account is locked also for the right password, with status 403 and error 207'),
  4: shown('lockout-race', 'gateway/merchants/lock.test.ts', 'parallel attempts are all counted: at most ten passwords are checked'),
  5: shown('lockout-dos', 'gateway/abuse/locks.test.ts', 'ten wrong passwords from one address do not lock out the merchant at other addresses'),
  6: shown('lockout-hosted', 'gateway/merchants/lock.test.ts', 'other merchants are not locked, and payers can still pay this merchant'),
  7: shown('basic-parsing', 'gateway/web/http/authentication.test.ts', 'an invalid Authorization header is rejected with error 182'),
  8: shown('header-duplicates', 'gateway/web/http/sockets.test.ts', 'a request with two Authorization headers is rejected'),
  9: shown('credentials-in-url', 'gateway/abuse/leaks.test.ts', 'has only keys of the allow-list'),
  10: shown('hash-missing / wrong', 'gateway/web/api/hash.test.ts', 'a hash is rejected with error 107 if it is'),
  11: shown('hash-shift', 'gateway/abuse/hash-readings.test.ts', 'a hash has no separators: docs/explanation/hash.md lists every change that a payer can make'),
  12: shown('hash-timing', 'gateway/abuse/comparisons.test.ts', 'secrets are compared in constant time'),
  13: shown('hash-type-confusion', 'gateway/web/api/hash.test.ts', 'is not replaced by'),
  14: shown('hash-variant-downgrade', 'gateway/abuse/weak-hash.test.ts', 'rejects a weak recipe also with a login and in an update'),
  15: shown('test-flag-flip', 'gateway/abuse/weak-hash.test.ts', 'signed by the recipe'),
  16: shown('hash-replay', 'gateway/web/hosted/form.test.ts', 'is not paid again if it is posted again with the same payment_ref'),
  17: shown('webhook-forgery', 'gateway/examples/programs.test.ts', 'webhook-receiver rejects calls with a wrong body, key or time'),
  18: shown('password-storage', 'gateway/merchants/seed.test.ts', 'is stored as scrypt with its own salt'),

  // Output: XSS, templates, redirects
  19: shown('metadata-html', 'gateway/web/hosted/escaping.test.ts', 'text of a merchant or payer stays text on every page', [CONSOLE, '19 (metadata-html)']),
  20: shown('metadata-in-script', 'gateway/web/hosted/templates.test.ts', 'attack 20 (metadata-in-script)'),
  21: shown('metadata-attribute', 'gateway/web/hosted/templates.test.ts', 'attack 21 (metadata-attribute)'),
  22: shown('metadata-url', 'gateway/web/hosted/templates.test.ts', 'attack 22 (metadata-url)'),
  23: shown('liquid-raw', 'gateway/web/hosted/templates.test.ts', 'attack 23 (liquid-raw)'),
  24: shown('liquid-injection', 'gateway/web/hosted/templates.test.ts', 'attack 24 (liquid-injection)'),
  25: shown('liquid-prototype', 'gateway/templates/renderer.test.ts', 'attack 25 (liquid-prototype)'),
  26: shown('liquid-rce', 'gateway/templates/renderer.test.ts', 'attack 26 (liquid-rce)'),
  27: shown('liquid-files', 'gateway/templates/renderer.test.ts', 'attack 27 (liquid-files)'),
  28: shown('liquid-cpu', 'gateway/web/hosted/templates.test.ts', 'does not delay other requests (attack 28, liquid-cpu)'),
  29: shown('liquid-memory', 'gateway/templates/renderer.test.ts', 'attack 29 (liquid-memory): doubling'),
  30: shown('console-stored-xss', CONSOLE, 'attack 30 (console-stored-xss)'),
  31: shown('redirect-javascript', 'gateway/domain/order/urls.test.ts', 'as success_url with'),
  32: shown('redirect-crlf', 'gateway/domain/order/urls.test.ts', 'can be read back, and is a valid header with any values'),
  33: shown('redirect-userinfo', 'gateway/domain/order/urls.test.ts', 'as success_url with'),
  34: shown('redirect-reserved', 'gateway/domain/order/urls.test.ts', 'as success_url with'),
  35: shown('redirect-liquid', 'gateway/web/hosted/return-addresses.test.ts', 'attack 35 (redirect-liquid)'),
  36: shown('redirect-idn', 'gateway/domain/order/urls.test.ts', 'every rejected text gets an error of the catalogue'),
  37: shown('open-redirect-form', 'gateway/web/hosted/form.test.ts', 'the payer is not redirected'),
  38: shown('error-page-reflection', 'gateway/web/hosted/page.test.ts', 'contains no part of its own address'),
  39: shown('csp-no-unsafe', 'gateway/web/hosted/page.test.ts', 'contains no inline script, style or handler', [CONSOLE, 'attack 39 (csp-no-unsafe)']),
  40: shown('svg-logo', 'gateway/web/hosted/escaping.test.ts', 'a merchant’s logo is a picture from the origin that the policy names'),

  // Browser boundaries
  41: shown('postmessage-spoof-mpi', 'sdk/three-d-secure/answer.test.ts', 'from another window'),
  42: shown('postmessage-leak', 'gateway/web/hosted/parent.test.ts', 'attack 42 (postmessage-leak)'),
  43: shown('postmessage-prefix', 'sdk/three-d-secure/answer.test.ts', 'from an origin that begins like the bank’s'),
  44: shown('postmessage-flood', 'gateway/web/hosted/parent.test.ts', 'attack 44 (postmessage-flood)'),
  45: shown('clickjack-hosted', 'browser/hosted-page.test.ts', 'the browser does not show the page in a frame of a foreign page'),
  46: shown('clickjack-console', 'gateway/web/console/pages.test.ts', 'attack 46, clickjack-console'),
  47: shown('csrf-console', 'gateway/web/control/key.test.ts', 'from a form of such a page before it has any effect', ['gateway/web/console/login.test.ts', 'attack 47 (csrf-console)']),
  48: shown('csrf-hosted', 'gateway/web/hosted/foreign-forms.test.ts', 'attack 48 (csrf-hosted)'),
  49: shown('login-csrf / fixation', 'gateway/web/console/login.test.ts', 'attack 49 (login-csrf / fixation)'),
  50: shown('cookie-flags', 'gateway/web/hosted/page.test.ts', 'is sent with', ['gateway/web/console/login.test.ts', 'attack 50 (cookie-flags)']),
  51: shown('cors-wildcard', 'gateway/web/http/headers.test.ts', 'cannot read'),
  52: shown('cors-preflight', 'gateway/abuse/locks.test.ts', 'can send its own Content-Type, but no other header'),
  53: shown('referrer-leak', 'gateway/web/hosted/page.test.ts', 'is sent with'),
  54: shown('cache-leak', 'gateway/web/http/headers.test.ts', 'the answer to'),
  55: shown('mime-sniff', 'gateway/web/http/headers.test.ts', 'the answer to'),
  56: shown('xs-leak', 'gateway/web/hosted/page.test.ts', 'is sent with'),
  57: shown('tabnabbing', 'gateway/web/pages/windows.test.ts', 'attack 57 (tabnabbing)'),
  58: shown('jsonp/script-include', 'gateway/abuse/boundary.test.ts', 'do not include GET'),

  // Parsing and limits
  59: shown('proto-form', 'gateway/abuse/parsing.test.ts', '%s is an ordinary name, wherever it is sent'),
  60: shown('proto-json', 'gateway/payments/update.test.ts', 'stores keys such as __proto__ in its metadata as ordinary keys'),
  61: shown('quoted-keys', 'gateway/parsing/parameters/read.test.ts', 'is malformed metadata, x'),
  62: shown('type-confusion', 'gateway/abuse/parsing.test.ts', 'type confusion: a list or an object instead of a text, or two values, is rejected'),
  63: shown('deep-nesting-form', 'gateway/abuse/parsing.test.ts', 'more brackets than may nest are rejected'),
  64: shown('deep-nesting-json', 'gateway/abuse/parsing.test.ts', 'JSON in a field with too many levels is rejected'),
  65: shown('sparse-array', 'gateway/abuse/parsing.test.ts', 'a sparse list costs only its items, and mixed keys are rejected'),
  66: shown('many-params', 'gateway/abuse/parsing.test.ts', 'many parameters are rejected'),
  67: shown('oversize', 'gateway/web/http/sockets.test.ts', 'a body of one byte more is rejected with error 253, and the connection closed'),
  68: shown('compressed-bomb', 'gateway/abuse/parsing.test.ts', 'a compressed body is rejected without being read'),
  69: shown('bad-utf8', 'gateway/abuse/parsing.test.ts', 'bytes that are not UTF-8 are rejected in keys, values, paths, queries and JSON'),
  70: shown('nul-and-controls', 'gateway/abuse/parsing.test.ts', 'NUL and control characters are rejected in ids, references and filters'),
  71: shown('lone-surrogate-json', 'gateway/abuse/parsing.test.ts', 'half a surrogate pair is rejected in every kind of JSON'),
  72: shown('charset-trick', 'gateway/abuse/parsing.test.ts', 'a charset other than UTF-8 is rejected'),
  73: shown('content-type-trick', 'gateway/abuse/parsing.test.ts', 'a body under the wrong content type is read as documented, or rejected'),
  74: shown('duplicate-json-keys', 'gateway/abuse/parsing.test.ts', 'one JSON object with the same key twice is rejected'),
  75: shown('number-forms', 'gateway/abuse/amounts-ids-filters.test.ts', 'number forms: only digits, a dot and two digits are accepted as an amount'),
  76: shown('amount-overflow', 'gateway/abuse/amounts-ids-filters.test.ts', 'amount overflow: nothing is rounded'),
  77: shown('amount-negative/zero', 'gateway/abuse/amounts-ids-filters.test.ts', 'zero and negative amounts are rejected when paying, capturing, refunding and pricing'),
  78: shown('currency-decimals', 'gateway/abuse/amounts-ids-filters.test.ts', 'currency decimals and case follow the currency, not the language of the machine'),
  79: shown('id-forms', 'gateway/abuse/amounts-ids-filters.test.ts', 'an id is accepted in decimal digits only, wherever it is sent'),
  80: shown('limit-offset', 'gateway/abuse/amounts-ids-filters.test.ts', 'limit, offset and start_id must be whole numbers, and a huge limit counts as 1000'),
  81: shown('sql-filter', 'gateway/abuse/amounts-ids-filters.test.ts', 'SQL in filter and order_by is not executed'),
  82: shown('filter-oracle', 'gateway/abuse/amounts-ids-filters.test.ts', 'filters cannot guess a secret letter by letter'),
  83: shown('redos', 'gateway/abuse/amounts-ids-filters.test.ts', 'long inputs get an answer, and never status 500'),
  84: shown('wildcard-bomb', 'gateway/abuse/amounts-ids-filters.test.ts', 'a filter with many wildcards is rejected'),
  85: shown('xml-out', 'gateway/webhooks/formats.test.ts', 'webhook rule 13: xml is well-formed'),
  86: shown('csv-out', 'gateway/web/console/pages.test.ts', 'attack 86 (csv-out)'),
  87: shown('mail-header', 'gateway/webhooks/mail.test.ts', 'is rejected, because it names a second recipient'),

  // Transport and process
  88: shown('smuggling', 'gateway/web/http/sockets.test.ts', 'is rejected before it is read'),
  89: shown('host-header', 'gateway/web/http/routes.test.ts', 'links are built from the configuration, whatever Host and similar headers contain'),
  90: shown('slow-headers', 'gateway/web/http/sockets.test.ts', 'a client that sends a byte a second is cut off'),
  91: shown('slow-body', 'gateway/web/http/unreadable.test.ts', 'a request that does not arrive in time is rejected with status 408'),
  92: shown('slow-read', 'gateway/abuse/stalled.test.ts', 'a client that stops reading is cut off, and its memory is freed'),
  93: shown('connection-flood', 'gateway/abuse/stalled.test.ts', 'more clients than descriptors leave some descriptors for the files'),
  94: shown('tls-old', 'gateway/abuse/transport.test.ts', 'TLS 1.2 uses AES-256 or authenticated encryption'),
  95: shown('trace-methods', 'gateway/abuse/transport.test.ts', 'undocumented methods do nothing, and suggest no other method'),
  96: shown('path-tricks', 'gateway/web/http/routes.test.ts', ': status 404 and error 196, as JSON'),
  97: shown('crash-inputs', 'gateway/abuse/fuzz.test.ts', 'requests, most of them from the contract, get answers that the contract allows'),
  98: shown('error-detail', 'gateway/web/api/errors.test.ts', 'an unexpected error has status 500 without details, and the log has them'),
  99: shown('default-secrets', 'gateway/cli/start-refused.test.ts', 'the gateway does not start, and prints one clear sentence, with'),
  100: shown('supply-chain', 'gateway/abuse/version-floors.test.ts', 'the version of %s is at least'),

  // Cards, keys, 3-D Secure
  101: shown('pan-in-logs', 'gateway/abuse/leaks.test.ts', 'the tests used every channel', ['gateway/abuse/leaks.test.ts', 'each page and file of the console']),
  102: shown('cvv-anywhere', 'gateway/abuse/leaks-by-webhooks.test.ts', 'attack 102, cvv-anywhere'),
  103: shown('pan-in-url', 'gateway/abuse/leaks.test.ts', 'contains no'),
  104: shown('pan-in-metadata', 'gateway/abuse/free-fields.test.ts', ', when creating'),
  105: shown('real-card', 'gateway/acquirer/test-flag.test.ts', 'with test='),
  106: shown('rsa-oracle', 'gateway/parsing/parameters/decrypt.test.ts', '1,000 changed ciphertexts'),
  107: shown('rsa-missing-name', 'gateway/web/api/encrypted.test.ts', 'a listed name that is not sent is rejected with error 194'),
  108: shown('rsa-wrong-key', 'gateway/web/api/encrypted.test.ts', 'the key of another merchant'),
  109: shown('token-guess', 'gateway/cards/stored-card-payments.test.ts', 'a token of another merchant is answered like an unknown token'),
  110: shown('acs-forge', 'gateway/three-d-secure/security.test.ts', '110 acs-forge'),
  111: shown('acs-replay', 'gateway/three-d-secure/security.test.ts', 'attack 111, acs-replay'),
  112: shown('mpi-field-forge', 'gateway/three-d-secure/security.test.ts', 'attack 112 (mpi-field-forge)'),
  113: shown('challenge-brute', 'gateway/three-d-secure/security.test.ts', 'attack 113, challenge-brute'),

  // Business logic, access, requests to others
  114: shown('idor-read', 'gateway/abuse/isolation.test.ts', 's without a filter contains and counts only the merchant'),
  115: shown('idor-write', 'gateway/abuse/isolation.test.ts', 'a merchant that uses the ids of another merchant is rejected, and nothing changes:'),
  116: shown('idor-console', CONSOLE, 'attack 116 (idor-console)', ['gateway/web/console/pages.test.ts', 'attack 116 (idor-console)']),
  117: shown('mass-assignment', 'gateway/abuse/unasked-fields.test.ts', 'a client cannot set fields that only the gateway sets'),
  118: shown('double-capture', 'gateway/races/transactions.test.ts', 'one of 50 parallel captures succeeds'),
  119: shown('over-capture', 'gateway/payments/capture.test.ts', 'a capture of more than was authorized gets error 134'),
  120: shown('double-refund', 'gateway/races/transactions.test.ts', 'one of 50 parallel refunds of 60 % succeeds'),
  121: shown('capture-refund-race', 'gateway/races/transactions.test.ts', 'a capture and a refund in parallel have the same result as one after the other'),
  122: shown('pay-cancel-race', 'gateway/races/payment-page.test.ts', "a payment parallel to a change of its amount charges the amount on the payer's page, or nothing"),
  123: shown('payment-ref-reuse', 'gateway/races/transactions.test.ts', 'one of 50 parallel payments with one payment_ref is stored'),
  124: shown('price-tamper-hosted', 'gateway/web/hosted/page.test.ts', 'charges the prepared amount, whatever the form contains'),
  125: shown('card-testing', 'gateway/web/hosted/ends.test.ts', 'are limited to ten: the last decline fails the payment'),
  126: shown('plan-tamper', 'gateway/subscriptions/subscribe.test.ts', ', with'),
  127: shown('clock-abuse', 'gateway/web/control/key.test.ts', 'from a form of such a page before it has any effect'),
  128: shown('ssrf-matrix', 'gateway/webhooks/transport.test.ts', 'webhook rule 38: called addresses'),
  129: shown('ssrf-response-leak', 'gateway/webhooks/transport.test.ts', 'webhook rule 27: 64 KB of an answer are stored, and the shop can send all of it'),
  130: shown('webhook-loop', 'gateway/abuse/webhook-loop.test.ts', 'attack 130 (webhook-loop): webhooks to the gateway’s own payment addresses are not sent'),
  131: shown('resend-abuse', 'gateway/abuse/webhooks-turned.test.ts', 'attack 131 (resend-abuse)'),
  132: inPart(shown('template-ssrf', 'gateway/templates/renderer.test.ts', 'attack 27 (liquid-files)'), 'a policy without foreign pictures, which old pages show'),
  133: shown('log-injection', 'gateway/abuse/log-injection.test.ts', 'a client’s text never starts a line of its own in the log', [CONSOLE, 'attack 133 (log-injection)']),
  134: shown('audit-trail', 'gateway/abuse/audit-trail.test.ts', 'attack 134 (audit-trail)', ['gateway/abuse/audit-trail.test.ts', 'shows who changed something in the console']),
  135: shown('backup-restore', 'gateway/abuse/webhooks-turned.test.ts', 'attack 135 (backup-restore)'),
}

/** Predicate: true if all tests of the file passed. */
type Passed = (file: string) => boolean

/** Returns the state of a case: the files that passed or failed, and the missing part. */
function stateOf({ shownBy, waits }: Case, passed: Passed): string {
  const files = [...new Set(shownBy.map(([file]) => file))]
  const failed = files.filter((file) => !passed(file))
  const state =
    failed.length > 0 ? `FAILED by ${failed.join(', ')}` : `passed by ${files.join(', ')}`
  return waits ? `${state}; not built: ${waits}` : state
}

/** Formats the table as lines, for the end of a test run. */
export function caseLines(passed: Passed): string[] {
  const rows = Object.entries(CASES)
  const passing = rows.filter(([, { shownBy }]) => shownBy.every(([file]) => passed(file)))
  const parts = passing.filter(([, { waits }]) => waits)
  return [
    ...rows.map(([id, row]) => `${id.padStart(3)} · ${row.name} · ${stateOf(row, passed)}`),
    `${passing.length} of ${rows.length} attacks have passing tests, ${parts.length} of them without the parts that are not built yet`,
  ]
}
