import { GatewayError } from '../domain/errors/errors.ts'
import type { PayerOption } from '../domain/merchant.ts'
import type { CreateTransaction } from '../payments/commands.ts'
import { type CallParameters, flag } from './parameters/parameters.ts'
import type { Sender } from './sender.ts'

type RequestedOptions = Pick<CreateTransaction, 'webhooks' | 'authorize' | 'templateId'>

/**
 * Rejects options that a request without a login may not use, unless the merchant allows them (its
 * setting payer_options): the hash does not cover them. Values without an effect, such as
 * authorize=false, are always allowed.
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
  const explain = `${refused} needs a login, unless the merchant's setting payer_options lists it.`
  throw new GatewayError('errors.request.bad_format', { explain })
}
