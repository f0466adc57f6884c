import { ENDING_ANSWERS, getBankQuestion, listAnswersAt } from '../../domain/card/bank-questions.ts'
import { RESULTS } from '../../domain/card/three-d-secure.ts'
import { OUTCOMES } from '../../domain/card/three-d-secure-cases.ts'
import { formatDate, type Locale } from '../../domain/language/languages.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import { formatMoney, parseAmount } from '../../domain/money/money.ts'
import { BANK_LIMITS, findBankStep } from '../../payments/authentication/bank.ts'
import { formatWireTime } from '../../serializers/time.ts'
import { getExchange } from '../http/exchange.ts'
import { AUTHENTICATION_RESULTS } from '../pages/authentication-results.ts'
import { createCardLabel } from '../pages/card-label.ts'
import { chooseLocale } from './page.ts'
import { TEXTS } from './texts.ts'
import { type BankVisit, createBankAddress, createChallengeMessage } from './visit.ts'

/** Returns the facts of a challenge, as the JSON answer contains them. */
export function createChallengeFacts({ response, row, merchant }: BankVisit) {
  const now = getExchange(response).getNow(merchant.id)
  const locale = chooseLocale(response, row.locale)
  const { question = 'code' } = row.plan
  const step = findBankStep(row)
  const answers = Object.entries(listAnswersAt(question, step))
  return {
    merchant: merchant.name,
    amount: row.amount_text,
    currency: row.currency,
    price: price(row.amount_text, row.currency, locale),
    date: formatDate(now, locale),
    card_number: row.card_number,
    question,
    step,
    answers: answers.map(([name, gives]) => ({ name, gives })),
    code:
      question === 'code' ? (answers.find(([, gives]) => gives === 'right')?.[0] ?? null) : null,
    wrong_codes: row.wrong_codes,
    tries_left: BANK_LIMITS.wrongCodes - row.wrong_codes,
    new_codes: row.new_codes,
    new_codes_left: BANK_LIMITS.newCodes - row.new_codes,
    more_time_left: BANK_LIMITS.extensions - row.extensions,
    minutes_left: Math.max(0, Math.ceil((row.expires_at - now) / 60_000)),
    expires_at: formatWireTime(row.expires_at),
    outcomes: RESULTS.map((name) => ({ name, label: AUTHENTICATION_RESULTS[locale][name] })),
  }
}

/** An authentication as the pages show it. */
export type ShownChallenge = ReturnType<typeof describeChallenge>

/** Adds the texts that only the pages need. */
export function describeChallenge(visit: BankVisit) {
  const { response, row, merchant } = visit
  const locale = chooseLocale(response, row.locale)
  const facts = createChallengeFacts(visit)
  const href = createBankAddress(response, row)
  const { by, several = false, scanned = false } = getBankQuestion(row.plan.question)
  const words: QuestionWords = TEXTS[locale].questions[facts.question]
  const results: Readonly<Record<string, string>> = AUTHENTICATION_RESULTS[locale]
  const did = row.steps.at(-1)?.did ?? ''
  const answers = facts.answers.map((answer) => ({
    ...answer,
    label: words.answers[answer.name] ?? answer.name,
  }))
  return {
    ...facts,
    card: createCardLabel(row.brand, row.card_number),
    by,
    several,
    scanned,
    words,
    says: words.says[facts.step] ?? words.title,
    answers,
    /** The payer's last answer; null before the first. */
    said: words.answers[did] ?? results[did] ?? null,
    right: answers.flatMap(({ gives, label }) => (gives === 'right' ? [label] : [])).join(', '),
    endings: ENDING_ANSWERS.map((name) => ({ name, label: results[name] ?? name })),
    cases: [...OUTCOMES].map(([number, { result, delaySeconds }]) => ({
      number,
      label: results[result] ?? result,
      seconds: delaySeconds,
    })),
    helper: merchant.settings.page_test_helper,
    href,
    /** Address of the app. */
    app: `${href}/app`,
    /** Notifies the library of the challenge; '' if the page has no library. */
    message: createChallengeMessage(row),
    /** Origin of the page that opened this one, if it is known. */
    origin: row.origin,
  }
}

/** Texts of a challenge type that is only known at run time. */
interface QuestionWords {
  readonly title: string
  readonly wrong: string
  readonly says: Readonly<Record<string, string>>
  readonly answers: Readonly<Record<string, string>>
}

/** Formats money for people; an amount in a bad format is unchanged. */
function price(text: string, currency: Currency, locale: Locale): string {
  const amount = parseAmount(text)
  return amount.ok
    ? formatMoney(amount.value, currency, locale)
    : `${text} ${currency.toUpperCase()}`
}
