import { GatewayError } from '../domain/errors/errors.ts'
import type { PayerOption } from '../domain/merchant.ts'
import type { CreateTransaction } from '../payments/commands.ts'
import { type CallParameters, flag } from './parameters/parameters.ts'
import type { Sender } from './sender.ts'

type RequestedOptions = Pick<CreateTransaction, 'webhooks' | 'authorize' | 'templateId'>

/**
 * Refuses what a payer asks for without a login and the merchant has not opened (its setting
 * payer_options): the hash does not cover it. What asks for nothing, such as authorize=false, may
 * be sent always.
 * @throws errors.request.bad_format (253)
 */
export function checkPayerOptions(
  sent: CallParameters<'store_card'>,
  wanted: RequestedOptions,
  { merchant, loggedIn }: Sender,
): void {
  if (loggedIn) return
  const asked: Readonly<Record<PayerOption, boolean>> = {
    webhook: wanted.webhooks.length > 0,
    store_card: flag(sent, 'store_card') ?? false,
    authorize: wanted.authorize,
    template_id: wanted.templateId !== undefined,
  }
  const { payer_options } = merchant.settings
  const refused = Object.keys(asked).find(
    (name) => asked[name as PayerOption] && !payer_options.includes(name as PayerOption),
  )
  if (refused === undefined) return
  const explain = `${refused} needs a login, unless the merchant's setting payer_options lists it`
  throw new GatewayError('errors.request.bad_format', { explain })
}
