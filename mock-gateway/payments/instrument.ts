import type { Source } from '../acquirer/authorization.ts'
import { findTestPerson, type RegisteredPerson } from '../acquirer/test-persons.ts'
import { type PaymentCard, readPaymentCard, type SentCard } from '../cards/payment-card.ts'
import { getRules, PAYMENT_METHODS } from '../domain/order/payment-methods.ts'
import { findPayerNumber } from '../domain/payer/invoice-payer.ts'
import type { SentPaymentDetails } from '../domain/payer/payment-details.ts'
import { findInvoiceCountry } from '../domain/payer/personal-numbers.ts'
import type { NewTransactionRow, TransactionChanges } from '../storage/tables/transactions.ts'
import type { Work } from '../work/work.ts'

/** The instrument that pays. */
export interface Instrument {
  /** Input of the simulated bank. */
  readonly source: Source
  /** Columns of the transaction, whatever the answer. */
  readonly columns: TransactionChanges
  /** Name of the charge in the log. */
  readonly event: 'charged' | 'credit_checked' | 'started'
  /** Set if it is a card. */
  readonly card?: PaymentCard | undefined
}

/**
 * Reads the instrument of a payment. The order has been checked as complete (`checkOrder`).
 * @throws the errors of `readPaymentCard` for a card
 */
export async function readInstrument(
  work: Work,
  order: NewTransactionRow,
  sent: SentCard,
): Promise<Instrument> {
  const { answeredBy, approval } = getRules(order.payment_method)
  switch (answeredBy) {
    case 'bank':
      return createCardInstrument(await readPaymentCard(work, sent, order))
    case 'credit check':
      return createInvoiceInstrument(order.payment_details ?? {}, order.test)
    case 'payer':
      return {
        source: { kind: 'payer' },
        event: 'started',
        // The transaction type is only known after the payer's answer (observed: 7.2).
        columns: {
          ...NO_CARD,
          payment_method: order.payment_method,
          transaction_type: null,
          answer_by: work.now + (approval?.minutes ?? 0) * 60_000,
        },
      }
  }
}

/**
 * Creates the instrument of a typed or stored card. A stored card has the type STORED_CARD with the
 * number of the card (specification: card_type, card_number).
 */
function createCardInstrument(card: PaymentCard): Instrument {
  const stored = card.kind === 'stored_card'
  const method = stored ? 'stored' : 'credit_card'
  return {
    source: stored ? { kind: 'stored_card', cvv: card.cvv } : { kind: 'card', cvv: card.cvv },
    event: 'charged',
    card,
    columns: {
      payment_method: method,
      transaction_type: PAYMENT_METHODS[method].transactionType,
      card_holder: card.holder,
      card_number: card.maskedNumber,
      card_expiry: card.expiry,
      card_type: stored ? 'stored_card' : card.brand,
      stored_card_id: stored ? card.stored.id : null,
    },
  }
}

/**
 * Returns the registered name and address of an approved test person, whatever the request contains
 * (our decision).
 */
function createInvoiceInstrument(details: SentPaymentDetails, test: boolean): Instrument {
  const country = findInvoiceCountry(details.country_code ?? '')
  const personalNumber = findPayerNumber(details)
  if (country === undefined || personalNumber === undefined)
    throw new TypeError('An invoice is charged before its order was checked')
  const person = test ? findTestPerson(country, personalNumber) : undefined
  const registered =
    person?.registered && !person.refusal ? withAddressAlias(person.registered) : undefined
  return {
    source: { kind: 'invoice', country, personalNumber },
    event: 'credit_checked',
    columns: {
      ...NO_CARD,
      payment_method: 'invoice',
      transaction_type: PAYMENT_METHODS.invoice.transactionType,
      payment_details: { ...details, ...registered },
    },
  }
}

/** `address` is an alias of `address_1`, and a merchant may have sent it. */
const withAddressAlias = (person: RegisteredPerson) => ({ ...person, address: person.address_1 })

/** An earlier attempt may have left a card. */
const NO_CARD: TransactionChanges = {
  card_holder: null,
  card_number: null,
  card_expiry: null,
  card_type: null,
  stored_card_id: null,
}
