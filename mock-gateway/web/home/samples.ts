import { LANGUAGES } from '../pages/call-samples.ts'

/** Data of a sample: a merchant, and the gateway's address. */
export interface SampleFacts {
  /** For example `http://localhost:4400`. */
  readonly at: string
  readonly id: string
  readonly password: string
  readonly secret: string
  /** MMYY. */
  readonly expiry: string
}

/** The first payment in one language. */
export interface Sample {
  readonly language: string
  /** Command that runs it. */
  readonly run: string
  readonly code: string
}

/** Placeholders for data of a merchant that are not public. */
export const UNKNOWN = { id: 'MERCHANT_ID', password: 'PASSWORD', secret: 'SECRET' }

/** The part of a sample that calculates the hash, as in the shop. */
interface Calculation {
  readonly run: string
  /** Lines before the call. */
  readonly before: string
  /** Expressions of payment_ref and hash. */
  readonly ref: string
  readonly hash: string
}

/** Calculates the hash in each language (specification: Authentication 3). */
const CALCULATIONS: Readonly<Record<string, (id: string, rest: string) => Calculation>> = {
  PHP: (id, rest) => ({
    run: 'php pay.php',
    before: "<?php\n$ref = 'p' . time();",
    ref: '$ref',
    hash: `md5('${id}' . $ref . '${rest}')`,
  }),
  Ruby: (id, rest) => ({
    run: 'ruby pay.rb',
    before: 'require \'digest\'\n\nref = "r#{Time.now.to_i}"',
    ref: 'ref',
    hash: `Digest::MD5.hexdigest("${id}#{ref}${rest}")`,
  }),
  Python: (id, rest) => ({
    run: 'python3 pay.py',
    before: 'import hashlib, time\n\nref = f"y{int(time.time())}"',
    ref: 'ref',
    hash: `hashlib.md5(f"${id}{ref}${rest}".encode()).hexdigest()`,
  }),
  JavaScript: (id, rest) => ({
    run: 'node pay.mjs',
    before: `import { createHash } from 'node:crypto'

const ref = \`j\${Math.floor(Date.now() / 1000)}\``,
    ref: 'ref',
    hash: `createHash('md5').update(\`${id}\${ref}${rest}\`).digest('hex')`,
  }),
  'C#': (id, rest) => ({
    run: 'dotnet run',
    before: `using System.Security.Cryptography;

var paymentRef = $"d{DateTimeOffset.UtcNow.ToUnixTimeSeconds()}";
var hashed = MD5.HashData(System.Text.Encoding.UTF8.GetBytes($"${id}{paymentRef}${rest}"));`,
    ref: 'paymentRef',
    hash: 'Convert.ToHexString(hashed).ToLowerInvariant()',
  }),
}

/** Returns the card of a first payment. @param expiry MMYY */
export const createCard = (expiry: string) => ({
  card_holder: 'Kim Berg',
  card_number: '4111111111111111',
  card_expiry: expiry,
  card_cvv: '200',
  card_type: 'VISA',
})

/** Builds samples of a first payment. */
export function createSamples({ at, id, password, secret, expiry }: SampleFacts): Sample[] {
  const url = `${at}/v1/transactions?locale=en`
  const order = { amount: '10.00', currency: 'sek', test: 'true' }
  const rest = `10.00sektest${secret}`
  const call = {
    method: 'POST',
    url,
    login: { user: id, password },
    fields: { ...order, ...createCard(expiry) },
  }
  const curl = `REF=c$(date +%s)
HASH=$(printf '%s' "${id}\${REF}${rest}" | openssl md5 | sed 's/.* //')
curl -u ${id}:${password} '${url}' \\
  -d amount=10.00 -d currency=sek -d test=true -d payment_ref=$REF -d hash=$HASH \\
  -d card_holder='Kim Berg' -d card_number=4111111111111111 \\
  -d card_expiry=${expiry} -d card_cvv=200 -d card_type=VISA
`
  return [
    { language: 'curl', run: 'in a shell', code: curl },
    ...LANGUAGES.flatMap(({ name, write }) => {
      const calculation = CALCULATIONS[name]?.(id, rest)
      if (!calculation) return []
      const { run, before, ref, hash } = calculation
      const code = `${before}\n${write(call, { payment_ref: ref, hash })}\n`
      return { language: name, run, code }
    }),
  ]
}
