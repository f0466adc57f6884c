/**
 * Intended differences from older builds by shape (this build → the older one), with their reasons.
 * Delete a row when no build of its age is compared any more.
 */
const INTENDED: readonly (readonly [shape: RegExp, why: string])[] = [
  // Differences since 2026-11-28 (commit d8636e64).
  [/^\w+ \/_control\/\S+ \.description /, 'the control API describes errors in English by default'],
  [
    /^\w+ \/_control\/webhooks: status errors\.request\.bad_format → (?:OK|errors\.webhook)/,
    'calls of webhooks reject unknown parameters too',
  ],
  [/^GET \/openapi-control\.json: /, 'the document is generated from the operations'],
  [
    /^\w+ \/_control\/\S+: (?:status|\.name|\.code) \S*(?:bad_format|_template\.invalid|filter_value\.not_supported|253|206)/,
    'the input of a call is checked before everything else, also in reads',
  ],
  [/^\w+ \/_control\/(?:state|normal): status /, 'the operations state and normal are new'],
  [/^POST \/_control\/clock: status OK → /, 'the clock can be moved by minutes and hours'],
  [/^\w+ \/_control\/snapshots: /, 'a snapshot contains the data of all merchants'],
  [/^GET \/metrics: text .*route="\/_control/, 'rejected calls are counted with their route'],
  [
    /^POST \/_control\/merchants: \.(?:password|secret|public_key) |response_hash|&hash=/,
    'a new account draws its random values in another order; hashes follow the secret',
  ],
  [/^GET \/(?:llms\.txt|v\d\/mondido\S*): text /, 'the library and the documents are newer'],
  [
    /: header\.strict-transport-security nothing → /,
    'the header is sent over https (decision 123)',
  ],
  // Differences since 2026-11-22 (commit 05dda63).
  [
    /^GET \/(?:metrics|llms\.txt|ready|openapi-control\.json): status OK → errors\.not_found/,
    'the address is new',
  ],
  [/^GET \/v2\/mondido-advice\.js: status \S+(?: \S+)* → errors\.not_found/, 'the address is new'],
  [
    /^GET \/v1\/acs: .* → (?:errors\.|\{"name"|application\/json|SAMEORIGIN|#; mode=block|The connection)/,
    'the page of the bank’s app is new',
  ],
  [/^POST \/v1\/acs: (?:header\.location|text) \S+\/app → /, 'the page of the bank’s app is new'],
  [
    /^GET \/v1\/acs: header\.(?:referrer-policy|x-robots-tag) \S.* → nothing/,
    'the page of the bank’s app is new',
  ],
  [
    /^GET \/v\d\/mondido\.js: text (?:se strict|.*mondido\.js: There is no merchant)/,
    'the library and what it says is newer',
  ],
  [
    /^\w+ \/v1\/(?:form|acs|mpi_js)?: header\.(?:content-security-policy|x-frame-options) /,
    'pages have images, and may stand in frames of the gateway’s own',
  ],
  [
    /^\w+ \/v1\/(?:form|acs|mpi_js)?: text (?:\S*itle>|<link rel="icon"|<p>)/,
    'pages have other words, and an icon',
  ],
  [
    /^\w+ \/v1\/form: text .*(?:class="named">|data-numbers=)/,
    'the payment page names fields, and writes dates by the reader’s language',
  ],
  [
    /^\w+ \/v1\/form: header\.mondido-explain .* → nothing/,
    'the answer says why a payer is led back',
  ],
  [/: header\.mondido-explain .* → (?!nothing)/, 'explanations have other words'],
  [
    /^POST \/v1\/form: status Unprocessable Entity → See Other/,
    'wallet_type is read (decision 101)',
  ],
  [
    /^POST \/v1\/subscriptions?: \.(?:period_count|next_at) /,
    'a period that begins at once is charged in the call (decision 41)',
  ],
  [
    /\.log_events\[\]\.data\.(?:by merchant → gateway|ip \S+ → nothing)/,
    'a period that begins at once is charged in the call (decision 41)',
  ],
  [
    /: (?:\.description (?:Anropet|Inloggningen)|text <html lang="sv">)/,
    'of two locales the first counts',
  ],
]

/** Returns the reason of an intended difference; undefined if the difference is not intended. */
export const intendedOf = (shape: string): string | undefined =>
  INTENDED.find(([pattern]) => pattern.test(shape))?.[1]
