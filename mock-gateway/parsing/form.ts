import { GatewayError } from '../domain/errors/errors.ts'
import type { VerifiedHash } from '../domain/order/request-hash.ts'
import type { CreateTransaction } from '../payments/commands.ts'
import type { ClientFacts } from '../storage/tables/transactions.ts'
import { readCreateTransaction } from './create-transaction.ts'
import { isSent, type Parameters } from './parameters/parameters.ts'
import type { Sender } from './sender.ts'
import { hasCardData } from './sent-card.ts'

/**
 * Reads a form posted from a shop: with card data it pays in one step, without them it only
 * prepares the payment, and the payer continues on the payment page (specification: Endpoints;
 * observed: 5).
 * @param proof result of the hash check: nobody is redirected before it
 * @throws errors.success_url.missing (110), errors.error_url.missing (112) for a form that pays,
 *   since the payer must be sent back; the errors of `readCreateTransaction`
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
          explain: `${name} is missing. Send the address that the payer returns to.`,
        })
  return {
    ...readCreateTransaction(parameters, sender, { client, proof, prepareOnly: !pays }),
    form: true,
  }
}
