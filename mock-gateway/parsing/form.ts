import { GatewayError } from '../domain/errors/errors.ts'
import type { VerifiedHash } from '../domain/order/request-hash.ts'
import type { CreateTransaction } from '../payments/commands.ts'
import type { ClientFacts } from '../storage/tables/transactions.ts'
import { readCreateTransaction } from './create-transaction.ts'
import { isSent, type Parameters } from './parameters/parameters.ts'
import type { Sender } from './sender.ts'
import { hasCardData } from './sent-card.ts'

/**
 * Reads what a shop's own form posts: with card data the payment is made in one step, without it is
 * only prepared and the payer goes on at the payment page (specification: Endpoints; observed: 5).
 * @param proof of its hash, which was checked before: until then nobody is sent anywhere
 * @throws errors.success_url.missing (110), errors.error_url.missing (112) for one that pays, since
 *   the payer must come back somewhere; what `readCreateTransaction` throws
 */
export function readForm(
  parameters: Parameters,
  sender: Sender,
  { client, proof }: { readonly client: ClientFacts; readonly proof: VerifiedHash },
): CreateTransaction {
  const pays = hasCardData(parameters)
  if (pays)
    for (const name of ['success_url', 'error_url'] as const)
      if (!isSent(parameters, name))
        throw new GatewayError(`errors.${name}.missing`, {
          explain: `${name} is missing: send the address that the payer returns to`,
        })
  return {
    ...readCreateTransaction(parameters, sender, { client, proof, prepareOnly: !pays }),
    form: true,
  }
}
