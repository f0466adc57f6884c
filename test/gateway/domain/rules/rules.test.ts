import { expect, test } from 'vitest'
import { hundredths } from '../../../../mock-gateway/domain/money/money.ts'
import { rule } from '../../../../mock-gateway/domain/rules/rule-schema.ts'
import { hasRuleMatch, type RulePayment } from '../../../../mock-gateway/domain/rules/rules.ts'

const PAYMENT: RulePayment = {
  amount: hundredths(10_000),
  currency: 'sek',
  cardType: 'visa',
  country: 'SWE',
  customerRef: 'anna',
}
const UNKNOWN = { amount: null, cardType: undefined, country: undefined, customerRef: undefined }

/**
 * Rules, each with its result for a payment of 100.00 kronor, and for a payment with only a
 * currency.
 */
test.each([
  [{}, true, true],
  [{ amount_from: '100.00' }, true, false],
  [{ amount_from: '100.01' }, false, false],
  [{ amount_to: '100.00' }, true, false],
  [{ amount_to: '99.99' }, false, false],
  [{ amount_from: '100.00', amount_to: '100.00' }, true, false],
  [{ currency: ['eur', 'sek'] }, true, true],
  [{ currency: ['eur'] }, false, false],
  [{ card_type: ['mastercard', 'visa'] }, true, false],
  [{ card_type: ['mastercard'] }, false, false],
  [{ country: ['SWE'] }, true, false],
  [{ country: ['NOR'] }, false, false],
  [{ customer_ref: ['anna'] }, true, false],
  [{ customer_ref: ['bo'] }, false, false],
  [{ currency: ['sek'], country: ['NOR'] }, false, false],
])(
  'a rule with the condition %j matches a full payment (%s), and a payment with only a currency (%s)',
  (when, whole, bare) => {
    const written = rule.parse({ name: 'a rule', when, action: 'decline' })
    expect([
      hasRuleMatch(written, PAYMENT),
      hasRuleMatch(written, { ...PAYMENT, ...UNKNOWN }),
    ]).toEqual([whole, bare])
  },
)
