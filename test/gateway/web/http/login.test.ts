import type { Request, Response } from 'express'
import { expect, test, vi } from 'vitest'
import { UnavailableError } from '../../../../mock-gateway/storage/unavailable.ts'
import { authenticate } from '../../../../mock-gateway/web/http/login.ts'

test('a login asks a database that does not answer only once', async () => {
  const authenticator = {
    login: vi.fn(() => Promise.reject(new UnavailableError('away'))),
    find: vi.fn(() => Promise.resolve(undefined)),
  }
  const headers = { authorization: `Basic ${btoa('1:custom00')}` }
  const request = {
    headers,
    rawHeaders: Object.entries(headers).flat(),
    headersDistinct: { authorization: [headers.authorization] },
    socket: { remoteAddress: '127.0.0.1' },
  } as unknown as Request
  const response = {
    locals: { exchange: { times: {}, now: 0, getNow: () => 0 } },
  } as unknown as Response
  await expect(authenticate(authenticator, request, response)).rejects.toThrow('away')
  expect(authenticator.login).toHaveBeenCalledOnce()
  expect(authenticator.find).not.toHaveBeenCalled()
})
