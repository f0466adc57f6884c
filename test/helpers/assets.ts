import type { Client } from './gateway.ts'

/**
 * The address of the style sheet that the payment page names, such as
 * `/assets/payment.0123456789abcdef.css`.
 */
export async function styleAddress({ get }: Pick<Client, 'get'>): Promise<string> {
  const { body } = await get<string>('/v1/form/nobody')
  return /<link rel="stylesheet" href="([^"]+)">/.exec(body)?.[1] ?? ''
}
