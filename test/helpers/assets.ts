import type { Client } from './gateway.ts'

/**
 * Returns the address of the payment page's style sheet, such as
 * `/assets/payment.0123456789abcdef.css`.
 */
export async function styleAddress({ get }: Pick<Client, 'get'>): Promise<string> {
  const { body } = await get<string>('/v1/form/nobody')
  return /<link rel="stylesheet" href="([^"]+)">/.exec(body)?.[1] ?? ''
}
