import type { TemplateKind } from '../../../storage/tables/templates.ts'

export interface Starter {
  readonly title: string
  readonly kind: TemplateKind
  readonly source: string
}

const HEAD = `<!doctype html>
<html lang="{{ locale }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ transaction.merchant.name }}</title>
<style>
body { max-width: 26rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit }
input { margin: 0 0 0.75rem; padding: 0.5rem }
button { margin: 0.5rem 0; padding: 0.75rem }
.error { color: #a3121f }
</style>
</head>
<body>
<h1>{{ transaction.merchant.name }}</h1>
<p>Order {{ transaction.payment_ref }}: <b>{{ transaction.amount }} {{ currency | upcase }}</b></p>
{% if error %}<p class="error" role="alert">{{ error.description }}</p>{% endif %}
`

const CARD = `<form method="post">
<label for="holder">Name on the card</label>
<input id="holder" name="card_holder" autocomplete="cc-name" required>
<label for="number">Card number</label>
<input id="number" name="card_number" inputmode="numeric" autocomplete="cc-number" required>
<label for="expiry">Expiry, MMYY</label>
<input id="expiry" name="card_expiry" inputmode="numeric" autocomplete="cc-exp" required>
<label for="cvv">Security code</label>
<input id="cvv" name="card_cvv" inputmode="numeric" autocomplete="cc-csc" required>
<button>Pay {{ transaction.amount }} {{ currency | upcase }}</button>
</form>
`

const END = `</body>
</html>
`

/** Templates to start from, by the name in the address. */
export const STARTERS: Readonly<Record<string, Starter>> = {
  card: { title: 'Card form', kind: 'page', source: HEAD + CARD + END },
  methods: {
    title: 'Card, Swish and invoice',
    kind: 'page',
    source: `${HEAD}${CARD}<form method="post">
<input type="hidden" name="payment_method" value="swish">
<label for="phone">Phone</label>
<input id="phone" name="phone" autocomplete="tel" required>
<button>Pay by Swish</button>
</form>
<form method="post"><input type="hidden" name="payment_method" value="invoice">
<label for="ssn">Personal number</label>
<input id="ssn" name="personal_number" inputmode="numeric" required>
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<button>Pay by invoice</button>
</form>
${END}`,
  },
  mail: {
    title: 'Mail to the payer',
    kind: 'receipt',
    source: `<h1>Thank you</h1>
<p>{{ transaction.merchant.name }} has received your payment
of {{ transaction.amount }} {{ currency | upcase }}.</p>
<p>Order {{ transaction.payment_ref }}, {{ transaction.created_at }}</p>
{% if refund %}<p>We gave back {{ refund.amount }}: {{ refund.reason }}</p>{% endif %}
`,
  },
}
