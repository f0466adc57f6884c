import { type HttpHandler, http } from 'msw'
import type { TestGateway } from '../testing.ts'

/**
 * Handlers of msw that let a gateway in this process answer at its address, so that a program keeps the one it has in
 * production: `setupServer(...handlersOf(await startGateway({ address: 'https://api.pay.example' })))`.
 */
export const handlersOf = ({ url, fetch }: Pick<TestGateway, 'url' | 'fetch'>): HttpHandler[] => [
  http.all(`${url}/*`, ({ request }) => fetch(request)),
]
